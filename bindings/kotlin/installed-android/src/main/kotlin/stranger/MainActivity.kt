package stranger

import android.os.Bundle
import android.util.Log
import androidx.activity.ComponentActivity
import androidx.activity.compose.setContent
import dev.vitalwire.*
import java.time.LocalDate
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.MainScope
import kotlinx.coroutines.cancel
import kotlinx.coroutines.launch

/** Makes a call from the main thread and logs what it gave, or why it failed; shows the nights of a week. */
class MainActivity : ComponentActivity() {
    private val scope = MainScope()
    private val client = VitalwireClient {
        answers = Answers.samples()
        onAttempt(AttemptLog.logcat())
        tokenProvider { AccessToken("t") }
    }

    override fun onCreate(state: Bundle?) {
        super.onCreate(state)
        setContent { NightsScreen(client.sleeps, LocalDate.now()) }
        scope.launch(Dispatchers.Main) {
            val said = try {
                "${client.sleeps.get("any") { includeStages = true }}"
            } catch (error: VitalwireException) {
                error.stackTraceToString()
            }
            Log.i("Stranger", said)
        }
    }

    override fun onDestroy() {
        scope.cancel()
        client.close(endCalls = true)
        super.onDestroy()
    }
}
