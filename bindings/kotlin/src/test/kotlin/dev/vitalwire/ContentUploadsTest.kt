package dev.vitalwire

import android.content.ContentResolver
import android.content.Context
import android.net.Uri
import java.util.Base64
import kotlinx.coroutines.runBlocking
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.assertThrows

/** Tests uploads from content `Uri`s, with stubs of Android's classes. */
class ContentUploadsTest {
    private val picture = Base64.getDecoder().decode(
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    )
    private val results = "%PDF-1.7".toByteArray()

    private val content = ContentResolver(
        mapOf(
            "content://lunch" to ("lunch.png" to picture + "Rosa Quintero".toByteArray()),
            "content://results" to ("results of March.pdf" to results),
            "content://nameless" to (null to results),
            "content://gone" to ("gone.pdf" to ByteArray(0)),
        ),
    )
    private val context = object : Context() {
        override fun getContentResolver() = content
    }
    private val responses = MockResponses.samples()
    private val client = VitalwireClient {
        this.mockResponses = this@ContentUploadsTest.responses
    }

    private fun sent(name: String) =
        Json.parseToJsonElement(responses.requests().last().body.decodeToString()).jsonObject[name]?.jsonPrimitive?.content

    @Test
    fun `content is opened for each call and closed`(): Unit = runBlocking {
        val upload = ContentUploads.picture(context, Uri("content://lunch"), removeMetadata = true)
        assertEquals(0, content.opened)
        repeat(2) {
            client.nutritionRecords.upload(upload)
            assertEquals(Base64.getEncoder().encodeToString(picture), sent("body"))
            assertEquals(it + 1, content.opened)
        }
        client.labReports.upload(ContentUploads.document(context, Uri("content://results")))
        assertEquals("results of March.pdf", sent("filename"))
        assertEquals(Base64.getEncoder().encodeToString(results), sent("body"))
        client.labReports.upload(ContentUploads.document(context, Uri("content://nameless"), name = "results.pdf"))
        assertEquals("results.pdf", sent("filename"))
        assertEquals(0, content.open)
    }

    @Test
    fun `unreadable content is an invalid argument`() {
        for (address in listOf("missing", "forbidden", "gone", "nameless")) {
            val uri = Uri("content://$address")
            for (upload in listOf<suspend () -> Unit>(
                {
                    val picture = if (address == "nameless") Uri("content://gone") else uri
                    client.nutritionRecords.upload(ContentUploads.picture(context, picture))
                },
                { client.labReports.upload(ContentUploads.document(context, uri)) },
            )) {
                val error = assertThrows<VitalwireException.InvalidArgument> { runBlocking { upload() } }
                assertFalse("content:" in "$error ${error.message}", address)
            }
        }
        assertEquals(emptyList<Any>(), responses.requests())
        assertEquals(0, content.open)
    }
}
