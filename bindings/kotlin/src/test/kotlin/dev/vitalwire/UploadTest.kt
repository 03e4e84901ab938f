package dev.vitalwire

import java.io.ByteArrayInputStream
import java.io.File
import java.io.IOException
import java.io.InputStream
import java.io.RandomAccessFile
import java.net.URI
import java.nio.file.FileSystems
import java.nio.file.Files
import java.nio.file.Path
import java.util.Base64
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeoutOrNull
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Assumptions.assumeFalse
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.assertThrows
import org.junit.jupiter.api.io.TempDir

/** Tests uploads of files, with mock responses. */
class UploadTest {
    @TempDir
    lateinit var folder: File

    /** A PNG picture of one pixel, in base64. */
    private val sent = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    private val picture = Base64.getDecoder().decode(sent)

    private fun file(name: String, bytes: ByteArray) = File(folder, name).apply { writeBytes(bytes) }

    private fun client(responses: MockResponses) = VitalwireClient {
        this.mockResponses = responses
    }

    private fun body(responses: MockResponses): JsonObject =
        Json.parseToJsonElement(responses.requests().last().body.decodeToString()).jsonObject

    private fun JsonObject.text(name: String) = this[name]?.jsonPrimitive?.content

    private fun expectFailure(work: suspend () -> Unit) = assertThrows<VitalwireException> { runBlocking { work() } }

    @Test
    fun `a picture is sent from bytes, a file, a path, a stream and by URL`(): Unit = runBlocking {
        val responses = MockResponses.samples()
        val meals = client(responses).nutritionRecords
        val file = file("lunch.png", picture)
        val uploads = listOf(
            PictureUpload.of(picture), PictureUpload.of(file), PictureUpload.of(file.toPath()),
            PictureUpload.of(ByteArrayInputStream(picture)),
        )
        for (upload in uploads) {
            meals.upload(upload) { waitOnProcess = false }
            assertEquals(sent, body(responses).text("body"))
            assertEquals("false", body(responses).text("wait_on_process"))
        }
        meals.upload(PictureUpload.at("https://pictures.example/lunch.png"))
        assertEquals("https://pictures.example/lunch.png", body(responses).text("body_url"))
        assertNull(body(responses)["body"])
    }

    @Test
    fun `metadata is removed`(): Unit = runBlocking {
        val responses = MockResponses.samples()
        val meals = client(responses).nutritionRecords
        // Bytes after the end of the picture count as metadata.
        val whole = picture + "Rosa Quintero".toByteArray()
        val file = file("lunch.png", whole)
        val uploads = listOf(
            PictureUpload.of(whole, removeMetadata = true), PictureUpload.of(file, removeMetadata = true),
            PictureUpload.of(file.toPath(), removeMetadata = true), PictureUpload.of(whole.inputStream(), removeMetadata = true),
        )
        for (upload in uploads) {
            meals.upload(upload)
            assertEquals(sent, body(responses).text("body"))
        }
        meals.upload(PictureUpload.of(file))
        assertEquals(Base64.getEncoder().encodeToString(whole), body(responses).text("body"))
        val before = responses.requests().size
        for (broken in listOf("GIF89a".toByteArray(), picture.copyOf(40))) {
            assertEquals(ErrorKind.INVALID_ARGUMENT, expectFailure { meals.upload(PictureUpload.of(broken, removeMetadata = true)) }.kind)
        }
        assertEquals(before, responses.requests().size)
    }

    @Test
    fun `a document is named after its file or by the caller`(): Unit = runBlocking {
        val responses = MockResponses.samples()
        val labs = client(responses).labReports
        val content = "%PDF-1.7".toByteArray()
        val file = file("results of March.pdf", content)
        val archive = URI("jar:" + File(folder, "mail.zip").toURI())
        FileSystems.newFileSystem(archive, mapOf("create" to "true")).use { within ->
            val attached: Path = within.getPath("/attached.pdf")
            Files.write(attached, content)
            val uploads = listOf(
                DocumentUpload.of(file) to "results of March.pdf",
                DocumentUpload.of(file, name = "a.pdf") to "a.pdf",
                DocumentUpload.of(file.toPath()) to "results of March.pdf",
                DocumentUpload.of(attached) to "attached.pdf",
                DocumentUpload.of(content, "b.pdf") to "b.pdf",
                DocumentUpload.of(content.inputStream(), "c.pdf") to "c.pdf",
            )
            for ((upload, name) in uploads) {
                labs.upload(upload)
                assertEquals(name, body(responses).text("filename"))
                assertEquals(Base64.getEncoder().encodeToString(content), body(responses).text("body"))
            }
        }
    }

    @Test
    fun `a relative path is resolved by the JVM`(): Unit = runBlocking {
        val responses = MockResponses.samples()
        val file = file("lunch.png", picture)
        val below = File("").absoluteFile.toPath().relativize(file.toPath()).toFile()
        assertFalse(below.isAbsolute)
        client(responses).nutritionRecords.upload(PictureUpload.of(below))
        assertEquals(sent, body(responses).text("body"))
    }

    private val id = "5b1d3c52-0d5c-4a5e-9d0c-0a3a5a2f7c11"

    /** Returns mock responses for an analysis that ends after this number of polls. */
    private fun analysing(readings: Int): MockResponses {
        fun response(status: String) = MockResponse {
            val time = "2025-03-02T07:30:00Z"
            json = """{"record_id": "$id", "status": "$status", "uploaded_at": "$time", "modified_at": "$time"}"""
            delay = 5.milliseconds
        }
        val responses = MockResponses()
        responses.add("upload_nutrition_record", response("processing"))
        repeat(readings) { responses.add("get_nutrition_record", response("processing")) }
        responses.add("get_nutrition_record", response("completed"))
        return responses
    }

    private val quick = WaitOptions { interval(5.milliseconds, 5.milliseconds) }

    @Test
    fun `a wait for an upload reports its progress and returns the record`(): Unit = runBlocking {
        val file = file("lunch.png", picture)
        val flow = client(analysing(2)).nutritionRecords.uploadAndWaitAsFlow(PictureUpload.of(file, removeMetadata = true), wait = quick)
        val states = flow.toList()
        val progress = states.dropLast(1).map { (it as WaitState.Progress).progress }
        assertEquals(setOf(id), progress.map { it.recordId }.toSet())
        assertEquals(NutritionStatus.COMPLETED, (states.last() as WaitState.Ended).record.status)
    }

    @Test
    fun `a timeout of the caller keeps the id of an upload`(): Unit = runBlocking {
        var known: String? = null
        val client = client(analysing(1_000).apply { add("get_user_info", MockResponse.json("{}")) })
        // Load the library first, so that loading does not count against the timeout below.
        client.user.info()
        val ended = withTimeoutOrNull(1.seconds) {
            try {
                client.nutritionRecords.uploadAndWait(PictureUpload.of(picture.inputStream()), wait = quick)
            } catch (error: WaitCancelledException) {
                known = error.recordId
                throw error
            }
        }
        assertNull(ended)
        assertEquals(id, known)
    }

    @Test
    fun `invalid files are rejected before any request`() {
        val responses = MockResponses.samples()
        val client = client(responses)
        val huge = File(folder, "huge.png").also { file -> RandomAccessFile(file, "rw").use { it.setLength(200L shl 20) } }
        val bad = listOf(
            File(folder, "missing.png") to "there is no such file",
            folder to "is a directory",
            file("empty.png", ByteArray(0)) to "is empty",
            huge to "is larger than the limit for files",
            // Fails even for root, because a file contains no other files.
            File(file("lunch.png", picture), "below.png") to "cannot be read",
        )
        for ((file, reason) in bad) {
            val refused = listOf(
                expectFailure { client.nutritionRecords.upload(PictureUpload.of(file)) },
                expectFailure { client.nutritionRecords.uploadAndWaitAsFlow(PictureUpload.of(file.toPath())).toList() },
                expectFailure { client.labReports.uploadAndWait(DocumentUpload.of(file)) },
            )
            for (error in refused) {
                assertEquals(ErrorKind.INVALID_ARGUMENT, error.kind)
                assertTrue(reason in "${error.message}", "${error.message}")
                assertFalse(folder.name in error.stackTraceToString())
            }
        }
        assertTrue(responses.requests().isEmpty())
    }

    @Test
    fun `encoded text is rejected as a path and as a file and not shown`() {
        val responses = MockResponses.samples()
        val client = client(responses)
        fun base64(start: ByteArray, count: Int) = Base64.getEncoder().encodeToString(start + "CANARY-PHOTO".repeat(count).toByteArray())
        val photo = base64(byteArrayOf(-1, -40, -1, -32), 20_000)
        val report = base64("%PDF-1.7\n".toByteArray(), 40)
        val mistakes = listOf(
            photo to "is base64 text; decode it", report to "is base64 text; decode it",
            "data:image/jpeg;base64,$photo" to "is a data URL; decode the base64 text",
        )
        for ((text, reason) in mistakes) {
            val bytes = text.toByteArray()
            val pictures = listOf(
                PictureUpload.of(bytes), PictureUpload.of(bytes.inputStream()), PictureUpload.of(File(text)),
                PictureUpload.of(Path.of(text)),
                PictureUpload.at(text), PictureUpload.of(bytes, removeMetadata = true),
            )
            val documents = listOf(
                DocumentUpload.of(bytes, "a.pdf"), DocumentUpload.of(bytes.inputStream(), "a.pdf"), DocumentUpload.of(File(text)),
                DocumentUpload.of(Path.of(text)),
            )
            val errors = pictures.map { expectFailure { client.nutritionRecords.upload(it) } } +
                documents.map { expectFailure { client.labReports.upload(it) } } +
                expectFailure { client.labReports.uploadAndWait(DocumentUpload.of(bytes, "a.pdf")) } +
                expectFailure { client.nutritionRecords.upload { bodyUrl = text } }
            for (error in errors) {
                assertEquals(ErrorKind.INVALID_ARGUMENT, error.kind)
                assertTrue(reason in "${error.message}", "${error.message}".take(200))
                assertFalse("Q0FOQVJZ" in error.stackTraceToString())
            }
        }
        val archive = URI("jar:" + File(folder, "photos.zip").toURI())
        FileSystems.newFileSystem(archive, mapOf("create" to "true")).use { within ->
            val error = expectFailure { client.nutritionRecords.upload(PictureUpload.of(within.getPath(photo))) }
            assertFalse("Q0FOQVJZ" in error.stackTraceToString())
        }
        assertTrue(responses.requests().isEmpty())
    }

    @Test
    fun `invalid streams and bytes are rejected before any request`() {
        val responses = MockResponses.samples()
        val client = client(responses)
        val endless = object : InputStream() {
            override fun read() = 1

            override fun read(bytes: ByteArray, at: Int, count: Int) = count
        }
        val failing = object : InputStream() {
            override fun read() = throw IOException("the connection is gone")
        }
        val used = PictureUpload.of(picture.inputStream())
        runBlocking { client(MockResponses.samples()).nutritionRecords.upload(used) }
        val bad = listOf(
            PictureUpload.of(ByteArray(0)) to "is empty",
            PictureUpload.of(ByteArray(0).inputStream()) to "is empty",
            PictureUpload.of(endless) to "is larger than the limit for files",
            PictureUpload.of(failing) to "cannot be read",
            used to "can be read only once",
            PictureUpload.at("no address") to "",
        )
        for ((upload, reason) in bad) {
            val error = expectFailure { client.nutritionRecords.upload(upload) }
            assertEquals(ErrorKind.INVALID_ARGUMENT, error.kind)
            assertTrue(reason in "${error.message}", "${error.message}")
        }
        val twice = expectFailure {
            client.nutritionRecords.upload(PictureUpload.of(picture)) { bodyUrl = "https://pictures.example/a.png" }
        }
        assertTrue("must not be set both" in "${twice.message}")
        assertTrue(responses.requests().isEmpty())
    }

    @Test
    fun `a file without read permission is rejected`() {
        val file = file("locked.png", picture)
        file.setReadable(false)
        assumeFalse(file.canRead(), "the superuser may read every file")
        val failure = expectFailure { client(MockResponses.samples()).nutritionRecords.upload(PictureUpload.of(file)) }
        assertTrue("permission denied" in "${failure.message}")
    }

    @Test
    fun `a file with a read error is rejected for every reader`() {
        val responses = MockResponses.samples()
        val client = client(responses)
        // Reading fails even for root: the first file has nothing mapped at address 0, and the second is write-only.
        val reasons = listOf("/proc/self/mem" to "cannot be read", "/proc/sys/vm/compact_memory" to "cannot be read: permission denied")
        for ((path, reason) in reasons) {
            val file = File(path)
            assumeTrue(file.exists(), "the kernel has no $path")
            val refused = listOf(
                expectFailure { client.nutritionRecords.upload(PictureUpload.of(file)) },
                expectFailure { client.labReports.uploadAndWait(DocumentUpload.of(file)) },
            )
            for (error in refused) {
                assertEquals(ErrorKind.INVALID_ARGUMENT, error.kind, path)
                assertTrue(reason in "${error.message}", "${error.message}")
                assertFalse(path in error.stackTraceToString())
            }
        }
        assertTrue(responses.requests().isEmpty())
    }

    @Test
    fun `toString of an upload shows no values`() {
        val uploads = listOf(
            PictureUpload.of(File("/CANARY.png")), PictureUpload.at("https://CANARY"), DocumentUpload.of(ByteArray(1), "CANARY"),
        )
        assertFalse("CANARY" in "$uploads")
    }
}
