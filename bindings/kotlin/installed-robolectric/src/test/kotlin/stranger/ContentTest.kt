package stranger

import android.content.ContentProvider
import android.content.ContentValues
import android.database.Cursor
import android.database.MatrixCursor
import android.net.Uri
import android.os.Looper
import android.os.ParcelFileDescriptor
import android.provider.OpenableColumns
import android.util.Base64
import android.util.JsonReader
import dev.vitalwire.*
import dev.vitalwire.testing.Sandbox
import java.io.File
import java.io.FileNotFoundException
import java.io.StringReader
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.MainScope
import kotlinx.coroutines.async
import org.junit.Assert.assertArrayEquals
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertTrue
import org.junit.Before
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.Robolectric
import org.robolectric.RobolectricTestRunner
import org.robolectric.RuntimeEnvironment

/** Tests uploads from a content provider, called from the main thread. */
@RunWith(RobolectricTestRunner::class)
class ContentTest {
    private val context = RuntimeEnvironment.getApplication()
    private val responses = MockResponses.samples()
    private val client = VitalwireClient {
        this.mockResponses = this@ContentTest.responses
    }

    @Before
    fun provide() {
        Robolectric.setupContentProvider(Documents::class.java, "documents")
        File(context.cacheDir, "lunch.png").writeBytes(PICTURE + "Rosa Quintero".toByteArray())
        File(context.cacheDir, "results.pdf").writeBytes(RESULTS)
        Documents.onMain.clear()
    }

    private fun uri(name: String) = Uri.parse("content://documents/$name")

    private fun <T> fromMain(call: suspend () -> T): T {
        val called = MainScope().async(Dispatchers.Main) { runCatching { call() } }
        mainUntil { called.isCompleted }
        return called.getCompleted().getOrThrow()
    }

    /** Returns a text field of the body of the last request. */
    private fun sent(name: String): String {
        val reader = JsonReader(StringReader(responses.requests().last().body.decodeToString()))
        reader.beginObject()
        while (reader.nextName() != name) reader.skipValue()
        return reader.nextString()
    }

    /** Returns the number of open file descriptors of a file; 0 if the system does not report them. */
    private fun open(name: String): Int {
        val place = File(context.cacheDir, name).canonicalPath
        return File("/proc/self/fd").listFiles().orEmpty().count { runCatching { it.canonicalPath == place }.getOrDefault(false) }
    }

    @Test
    fun `content is opened for each call, away from the main thread, and closed`() {
        val picture = ContentUploads.picture(context, uri("lunch.png"), removeMetadata = true)
        assertEquals(0, Documents.onMain.size)
        for (calls in 1..2) {
            fromMain { client.nutritionRecords.upload(picture) }
            assertArrayEquals(PICTURE, Base64.decode(sent("body"), Base64.DEFAULT))
            assertEquals(List(calls) { false }, Documents.onMain)
        }
        fromMain { client.labReports.upload(ContentUploads.document(context, uri("results.pdf"))) }
        assertEquals("results.pdf", sent("filename"))
        assertArrayEquals(RESULTS, Base64.decode(sent("body"), Base64.DEFAULT))
        // The package queried the name and opened the content, never on the main thread.
        assertEquals(List(4) { false }, Documents.onMain)
        assertEquals(0, open("lunch.png") + open("results.pdf"))
    }

    @Test
    fun `a sandbox accepts content`() {
        Sandbox.start().use { sandbox ->
            val taken = fromMain { sandbox.client.labReports.upload(ContentUploads.document(context, uri("results.pdf"))) }
            assertTrue(taken.toJson() != "{}")
        }
    }

    @Test
    fun `unreadable content is an invalid argument`() {
        for (address in listOf("content://documents/missing", "content://documents/forbidden")) {
            for (upload in listOf<suspend () -> Unit>(
                { client.nutritionRecords.upload(ContentUploads.picture(context, Uri.parse(address))) },
                { client.labReports.upload(ContentUploads.document(context, Uri.parse(address))) },
            )) {
                val error = runCatching { fromMain { upload() } }.exceptionOrNull()
                assertTrue("$address: $error", error is VitalwireException.InvalidArgument)
                assertFalse(address, "content:" in "$error")
            }
        }
        assertEquals(0, responses.requests().size)
    }

    private companion object {
        val PICTURE: ByteArray = Base64.decode(
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
            Base64.DEFAULT,
        )
        val RESULTS = "%PDF-1.7".toByteArray()
    }
}

/** A content provider of files in the cache, like that of a document picker. */
class Documents : ContentProvider() {
    override fun onCreate() = true

    override fun query(uri: Uri, columns: Array<String>?, where: String?, values: Array<String>?, order: String?): Cursor {
        val name = requireReadable(uri)
        return MatrixCursor(columns ?: arrayOf(OpenableColumns.DISPLAY_NAME)).apply { if (name != "missing") addRow(arrayOf(name)) }
    }

    override fun openFile(uri: Uri, mode: String): ParcelFileDescriptor {
        val file = File(context?.cacheDir, requireReadable(uri))
        if (!file.exists()) throw FileNotFoundException("no $uri")
        return ParcelFileDescriptor.open(file, ParcelFileDescriptor.MODE_READ_ONLY)
    }

    private fun requireReadable(uri: Uri): String {
        synchronized(onMain) { onMain += Looper.myLooper() == Looper.getMainLooper() }
        return uri.lastPathSegment?.takeIf { it != "forbidden" } ?: throw SecurityException("no permission for $uri")
    }

    override fun getType(uri: Uri): String? = null

    override fun insert(uri: Uri, values: ContentValues?): Uri? = null

    override fun delete(uri: Uri, where: String?, values: Array<String>?) = 0

    override fun update(uri: Uri, to: ContentValues?, where: String?, values: Array<String>?) = 0

    companion object {
        /** For each request to the provider, whether it ran on the main thread. */
        val onMain = mutableListOf<Boolean>()
    }
}
