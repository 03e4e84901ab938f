package android.content

import android.net.Uri

/** Stub of `android.content.Intent`. */
class Intent(val action: String, val data: Uri?) {
    companion object {
        const val ACTION_VIEW = "android.intent.action.VIEW"
    }
}
