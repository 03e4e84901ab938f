package dev.vitalwire

import android.content.Context
import android.net.Uri
import android.provider.OpenableColumns
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.runInterruptible

/**
 * Uploads of what a content `Uri` leads to, such as the result of Android's picker for photos or documents. It is opened when a call is
 * made, read off the caller's thread, and closed; each call opens it again. The AAR has this class, the jar has not.
 *
 * A `Uri` that leads to nothing or may not be read is an [VitalwireException.InvalidArgument] of the call.
 */
public object ContentUploads {
    /** A picture; `removeMetadata` as in [PictureUpload]. */
    @JvmStatic
    @JvmOverloads
    public fun picture(context: Context, uri: Uri, removeMetadata: Boolean = false): PictureUpload {
        val content = context.contentResolver
        return PictureUpload.opened(removeMetadata) { content.openInputStream(uri) }
    }

    /**
     * A document.
     *
     * @param name what the service is told it is called, where that is not its display name, which may be personal.
     */
    @JvmStatic
    @JvmOverloads
    public fun document(context: Context, uri: Uri, name: String? = null): DocumentUpload {
        val content = context.contentResolver
        val displayed = {
            content.query(uri, arrayOf(OpenableColumns.DISPLAY_NAME), null, null, null)?.use { found ->
                if (found.moveToFirst() && !found.isNull(0)) found.getString(0) else null
            }
        }
        val called = suspend {
            name ?: runInterruptible(Dispatchers.IO) { readable(displayed) } ?: throw refused("the document has no display name: give a name")
        }
        return DocumentUpload.opened(called) { content.openInputStream(uri) }
    }
}
