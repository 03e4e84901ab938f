/** Stubs of `android.content`. */
package android.content

import android.net.Uri

open class Context

class Intent(val data: Uri?)
