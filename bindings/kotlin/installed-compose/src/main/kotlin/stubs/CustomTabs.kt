/** Stub of `androidx.browser.customtabs`. Keeps the URLs that were opened. */
package androidx.browser.customtabs

import android.content.Context
import android.net.Uri

class CustomTabsIntent private constructor() {
    fun launchUrl(context: Context, uri: Uri) {
        opened += "$uri"
    }

    class Builder {
        fun build(): CustomTabsIntent = CustomTabsIntent()
    }

    companion object {
        val opened = java.util.concurrent.CopyOnWriteArrayList<String>()
    }
}
