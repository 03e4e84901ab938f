package dev.vitalwire

import android.content.Context
import android.net.Uri
import android.provider.OpenableColumns
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.runInterruptible

/**
 * Creates uploads from content `Uri`s, such as the result of Android's photo picker. This class is in the AAR only.
 *
 * Each call opens the `Uri`, reads the content on another thread and closes it. If the content does not exist or the application may not
 * read it, the call throws a [VitalwireException.InvalidArgument].
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
