package stranger

import android.content.Intent
import android.net.Uri
import android.os.Bundle
import androidx.activity.ComponentActivity
import androidx.activity.compose.setContent
import androidx.browser.customtabs.CustomTabsIntent
import androidx.compose.foundation.layout.padding
import androidx.compose.material3.MaterialTheme
import androidx.compose.material3.Scaffold
import androidx.compose.runtime.collectAsState
import androidx.compose.runtime.getValue
import androidx.compose.ui.Modifier

// --8<-- [start:program]
/** Screen on which the user connects providers. Its entry in the manifest has the intent filter of the redirect. */
class ConnectionsActivity : ComponentActivity() {
    private val model get() = (application as SampleApplication).consent

    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        // A recreated activity still has its old intent.
        if (savedInstanceState == null) intent.data?.let { model.receive("$it") }
        setContent {
            val state by model.state.collectAsState()
            MaterialTheme {
                Scaffold { padding ->
                    ConsentScreen(state, { model.connect(it, ::open) }, model::cancel, model::load, Modifier.padding(padding))
                }
            }
        }
    }

    override fun onNewIntent(intent: Intent) {
        super.onNewIntent(intent)
        intent.data?.let { model.receive("$it") }
    }

    override fun onResume() {
        super.onResume()
        model.load()
    }

    private fun open(url: String) = CustomTabsIntent.Builder().build().launchUrl(this, Uri.parse(url))
}
// --8<-- [end:program]
