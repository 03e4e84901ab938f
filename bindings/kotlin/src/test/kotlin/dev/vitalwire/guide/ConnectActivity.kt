package dev.vitalwire.guide

// --8<-- [start:program]
import android.app.Activity
import android.content.Intent
import android.net.Uri
import dev.vitalwire.*
import java.io.File
import java.util.UUID
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.cancel
import kotlinx.coroutines.launch

/** Connects a wearable. The manifest has `launchMode="singleTop"` and an intent filter for the redirect URL. */
class ConnectActivity : Activity() {
    private val scope = CoroutineScope(SupervisorJob() + Dispatchers.IO)
    private val client = VitalwireClient {
        // For the tests of this class. An app has no environment variables: set a constant and a token provider.
        baseUrl = System.getenv("VITALWIRE_BASE_URL")
        token = System.getenv("VITALWIRE_TOKEN")
    }

    /** Text to show after the redirect. */
    var message: String? = null

    // The system may end the process while the browser is open, so the state is in a file.
    private val stateFile get() = File(filesDir, "consent-state")

    fun connect(provider: ProviderSlug): Job = scope.launch {
        val sent = UUID.randomUUID().toString()
        stateFile.writeText(sent)
        val page = try {
            client.integrations.initUrl(provider) {
                redirectUri = "https://app.example.org/connected"
                state = sent
            }.path
        } catch (_: VitalwireException) {
            null
        }
        if (page == null) message = "The connection could not be started. Try again."
        else startActivity(Intent(Intent.ACTION_VIEW, Uri.parse(page)))
    }

    override fun onNewIntent(intent: Intent) {
        intent.data?.let { finishConnection("$it") }
    }

    private fun finishConnection(url: String): Job = scope.launch {
        // Without a file, no flow was started, so nothing can match.
        val expected = if (stateFile.exists()) stateFile.readText() else return@launch
        message = try {
            val redirect = ConsentRedirect.parse(url, expected)
            stateFile.delete()
            val provider = redirect.providerSlug?.text
            if (provider != null && redirect.failure == null) "$provider is connected." else "Not connected."
        } catch (_: VitalwireException) {
            "This link does not belong to a connection that you started."
        }
    }

    override fun onDestroy() {
        scope.cancel()
        client.close()
        super.onDestroy()
    }
}
// --8<-- [end:program]
