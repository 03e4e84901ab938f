package stranger

import android.app.Activity
import android.os.Bundle
import android.util.Log
import dev.vitalwire.*
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.MainScope
import kotlinx.coroutines.cancel
import kotlinx.coroutines.launch

/** Makes a call from the main thread and logs what it gave, or why it failed. */
class MainActivity : Activity() {
    private val scope = MainScope()

    override fun onCreate(state: Bundle?) {
        super.onCreate(state)
        scope.launch(Dispatchers.Main) {
            val client = VitalwireClient {
                answers = Answers.samples()
                onAttempt(AttemptLog.logcat())
                tokenProvider { AccessToken("t") }
            }
            val said = try {
                "${client.use { it.sleeps.get("any") { includeStages = true } }}"
            } catch (error: VitalwireException) {
                error.stackTraceToString()
            }
            Log.i("Stranger", said)
        }
    }

    override fun onDestroy() {
        scope.cancel()
        super.onDestroy()
    }
}
