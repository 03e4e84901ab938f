/** Stub of `androidx.activity`, with the order in which Android calls an activity. */
package androidx.activity

import android.content.Context
import android.content.Intent
import android.os.Bundle
import androidx.compose.runtime.Composable

open class ComponentActivity : Context() {
    lateinit var application: Any
    lateinit var intent: Intent
    lateinit var content: @Composable () -> Unit

    protected open fun onCreate(savedInstanceState: Bundle?) = Unit

    protected open fun onNewIntent(intent: Intent) = Unit

    protected open fun onResume() = Unit

    fun start(application: Any, intent: Intent) {
        this.application = application
        this.intent = intent
        onCreate(null)
        onResume()
    }

    /** Returns to the activity, with a redirect or without. */
    fun resume(intent: Intent?) {
        intent?.let { onNewIntent(it) }
        onResume()
    }
}
