package stranger

import android.content.Intent
import android.net.Uri
import android.os.Bundle
import android.util.Base64
import android.util.Log
import androidx.activity.ComponentActivity
import androidx.activity.compose.setContent
import androidx.activity.viewModels
import androidx.compose.foundation.layout.Box
import androidx.compose.foundation.layout.Column
import androidx.compose.material3.Text
import androidx.compose.material3.TextButton
import androidx.compose.ui.Modifier
import androidx.lifecycle.viewmodel.initializer
import androidx.lifecycle.viewmodel.viewModelFactory
import dev.vitalwire.*
import dev.vitalwire.stranger.BuildConfig
import java.io.File
import java.time.LocalDate
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.MainScope
import kotlinx.coroutines.cancel
import kotlinx.coroutines.launch

/**
 * Makes calls from the main thread, logs their results, and shows the nights of a week and the days of the copy. Opens the providers.
 * In builds with `BuildConfig.SANDBOX`, the extras `baseUrl` and `token` select a sandbox.
 */
class MainActivity : ComponentActivity() {
    private val scope = MainScope()
    private lateinit var client: VitalwireApi
    private val days: DaysModel by viewModels {
        val application = application as SampleApplication
        viewModelFactory { initializer { DaysModel(application.copy, application::update) } }
    }

    override fun onCreate(state: Bundle?) {
        super.onCreate(state)
        val application = application as SampleApplication
        // Any app can start this activity, so a published app must not read its address from the intent.
        if (BuildConfig.SANDBOX) intent.getStringExtra("baseUrl")?.let { application.useSandbox(it, intent.getStringExtra("token")) }
        client = application.client
        SyncWorker.schedule(this)
        setContent {
            Column {
                TextButton({ startActivity(Intent(this@MainActivity, ConnectionsActivity::class.java)) }) { Text("Connections") }
                Box(Modifier.weight(1f)) { NightsScreen(client.sleeps, LocalDate.now()) }
                Box(Modifier.weight(1f)) { DaysScreen(days) }
            }
        }
        scope.launch(Dispatchers.Main) {
            logOutcome("user") { client.user.info() }
            val (first, last) = LocalDate.of(2025, 1, 1) to LocalDate.of(2025, 3, 31)
            logOutcome("days") { client.statistics.dailyInParts(first, last, listOf(StatisticName.STEPS), partLength = null).collectAll() }
            logOutcome("meal") {
                // --8<-- [start:picture]
                client.nutritionRecords.upload(ContentUploads.picture(this@MainActivity, picture(), removeMetadata = true))
                // --8<-- [end:picture]
            }
        }
    }

    private suspend fun logOutcome(what: String, call: suspend () -> Any) {
        val said = try {
            "${call()}"
        } catch (error: VitalwireException) {
            error.stackTraceToString()
        }
        Log.i("Stranger", "$what: $said")
    }

    /** Creates a file with a picture of one pixel and returns its `Uri`, in place of a file picker. */
    private fun picture(): Uri {
        val png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
        return Uri.fromFile(File(cacheDir, "lunch.png").apply { writeBytes(Base64.decode(png, Base64.DEFAULT)) })
    }

    override fun onDestroy() {
        scope.cancel()
        super.onDestroy()
    }
}
