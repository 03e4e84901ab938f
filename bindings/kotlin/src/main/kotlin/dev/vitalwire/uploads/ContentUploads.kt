package dev.vitalwire

import android.content.Context
import android.net.Uri
import android.provider.OpenableColumns
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.runInterruptible

/**
 * Creates uploads from content `Uri`s, such as the result of Android's photo picker. Only the AAR has this class.
 *
 * Each call opens the `Uri`, reads it off the caller's thread and closes it. If it does not exist or may not be read, the call throws a
 * [VitalwireException.InvalidArgument].
 */
public object ContentUploads {
    /** Creates an upload of a picture. See [PictureUpload] for [removeMetadata]. */
    @JvmStatic
    @JvmOverloads
    public fun picture(context: Context, uri: Uri, removeMetadata: Boolean = false): PictureUpload {
        val content = context.contentResolver
        return PictureUpload.fromStreams(removeMetadata) { content.openInputStream(uri) }
    }

    /**
     * Creates an upload of a document.
     *
     * @param name file name to send. Defaults to the display name, which may be personal data.
     */
    @JvmStatic
    @JvmOverloads
    public fun document(context: Context, uri: Uri, name: String? = null): DocumentUpload {
        val content = context.contentResolver
        val displayName = {
            content.query(uri, arrayOf(OpenableColumns.DISPLAY_NAME), null, null, null)?.use { found ->
                if (found.moveToFirst() && !found.isNull(0)) found.getString(0) else null
            }
        }
        val fileName = suspend {
            name ?: runInterruptible(Dispatchers.IO) { reading(displayName) }
                ?: throw invalidArgument("the document has no display name; pass a name")
        }
        return DocumentUpload.fromStreams(fileName) { content.openInputStream(uri) }
    }
}
