package android.content

import android.database.Cursor
import android.net.Uri
import java.io.FileNotFoundException
import java.io.InputStream

/** Stub of `android.content.ContentResolver`: display names and bytes by URI. Counts open streams and cursors. */
open class ContentResolver(private val content: Map<String, Pair<String?, ByteArray>>) {
    var open = 0
    var opened = 0

    fun openInputStream(uri: Uri): InputStream? {
        if (uri.toString().endsWith("forbidden")) throw SecurityException("no permission for $uri")
        val bytes = content[uri.toString()]?.second ?: throw FileNotFoundException(uri.toString())
        if (bytes.isEmpty()) return null
        open++
        opened++
        return object : java.io.ByteArrayInputStream(bytes) {
            override fun close() {
                open--
            }
        }
    }

    fun query(uri: Uri, columns: Array<String>?, where: String?, of: Array<String>?, order: String?): Cursor? {
        check(columns?.toList() == listOf("_display_name") && where == null && of == null && order == null)
        val name = content[uri.toString()]?.first
        open++
        return object : Cursor {
            override fun moveToFirst() = content.containsKey(uri.toString())
            override fun isNull(column: Int) = name == null
            override fun getString(column: Int) = name
            override fun close() {
                open--
            }
        }
    }
}
