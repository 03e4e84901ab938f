package dev.vitalwire

import java.io.File
import java.net.HttpURLConnection
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.nio.file.Files
import java.nio.file.attribute.PosixFilePermissions
import java.time.Instant
import java.util.Base64
import java.util.UUID
import kotlin.time.Duration.Companion.hours
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Assertions.assertArrayEquals
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.assertThrows
import org.junit.jupiter.api.io.TempDir

/** Tests uploads that the application sends with its own HTTP client. Those that are sent go to the sandbox of [SmokeTest]. */
class PreparedUploadTest {
    @TempDir
    lateinit var folder: File

    private val document = DocumentUpload.of("%PDF-1.7\n".toByteArray(), "a.pdf")

    /** A PNG picture of one pixel. */
    private val picture = Base64.getDecoder().decode(
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    )

    private fun environment(name: String): String =
        checkNotNull(System.getenv(name)) { "$name is not set; run this by `cargo xtask test`" }

    private fun sandbox(token: String = environment("VITALWIRE_TOKEN")) = VitalwireClient {
        baseUrl = environment("VITALWIRE_BASE_URL")
        this.token = token
    }

    private fun mocked() = VitalwireClient { mockResponses = MockResponses() }

    private fun expectFailure(work: suspend () -> Unit) = assertThrows<VitalwireException> { runBlocking { work() } }

    /** Sends a prepared upload with the HTTP client of the JDK. */
    private fun send(upload: PreparedUpload): UploadResponse {
        val request = HttpRequest.newBuilder(URI(upload.url))
            .method(upload.method, HttpRequest.BodyPublishers.ofFile(upload.file.toPath()))
        upload.headers.forEach(request::header)
        val response = HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofByteArray())
        return UploadResponse.of(response.statusCode(), response.headers().map(), response.body())
    }

    @Test
    fun `a prepared document is sent by the JDK and read by another client`(): Unit = runBlocking {
        val file = File(folder, "body")
        val upload = sandbox().use { it.labReports.prepareUpload(document, file) { waitOnProcess = false } }
        assertEquals("{\"body\":\"JVBERi0xLjcK\",\"filename\":\"a.pdf\",\"wait_on_process\":false}", file.readText())
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file.toPath())))
        assertEquals("POST", upload.method)
        assertEquals("Bearer " + environment("VITALWIRE_TOKEN"), upload.headers["authorization"])
        val response = send(upload)
        sandbox().use { later ->
            val read = later.withResponse { labReports.readUploadResponse(upload.receipt, response) }
            assertEquals(200, read.status)
            assertEquals(1, read.attempts)
            val report = read.value.labReport
            assertTrue(later.labReports.list { from = report.uploadedAt }.any { it.id == report.id })
        }
    }

    @Test
    fun `a prepared picture is sent by HttpURLConnection, whose status line has no name`(): Unit = runBlocking {
        val file = File(folder, "body")
        sandbox().use { client ->
            val upload = client.nutritionRecords.prepareUpload(PictureUpload.of(picture, removeMetadata = true), file)
            val connection = URI(upload.url).toURL().openConnection() as HttpURLConnection
            connection.requestMethod = upload.method
            connection.doOutput = true
            connection.instanceFollowRedirects = false
            upload.headers.forEach(connection::setRequestProperty)
            file.inputStream().use { body -> connection.outputStream.use(body::copyTo) }
            assertTrue(null in connection.headerFields)
            val body = connection.inputStream.readBytes()
            val response = UploadResponse.of(connection.responseCode, connection.headerFields, body)
            val meal = client.nutritionRecords.readUploadResponse(upload.receipt, response)
            assertEquals(meal.id, client.nutritionRecords.get(meal.id).id)
        }
    }

    @Test
    fun `a rejected token is an authentication error`(): Unit = runBlocking {
        sandbox("unknown").use { client ->
            val upload = client.labReports.prepareUpload(document, File(folder, "body"))
            val error = expectFailure { client.labReports.readUploadResponse(upload.receipt, send(upload)) }
            assertEquals(ErrorKind.AUTHENTICATION, error.kind)
            assertEquals(401, error.status)
            assertFalse(error.mayHaveTakenEffect)
        }
    }

    @Test
    fun `responses are classified, and a lost one may have taken effect`(): Unit = runBlocking {
        mocked().use { client ->
            val labs = client.labReports
            val receipt = labs.prepareUpload(document, File(folder, "body")).receipt
            fun failure(response: UploadResponse?) = expectFailure { labs.readUploadResponse(receipt, response) }

            val limited = failure(UploadResponse.of(429, mapOf("Retry-After" to listOf("7")), ByteArray(0)))
            assertEquals(ErrorKind.RATE_LIMITED, limited.kind)
            assertEquals(7.seconds, limited.retryAfter)
            assertFalse(limited.mayHaveTakenEffect)
            val html = "<html>Rosa Quintero</html>".toByteArray()
            val kinds = listOf(
                UploadResponse.of(413, emptyMap(), html) to ErrorKind.TOO_LARGE,
                UploadResponse.of(302, mapOf("Location" to listOf("https://example.org")), ByteArray(0)) to ErrorKind.UNEXPECTED_STATUS,
                UploadResponse.of(200, emptyMap(), html) to ErrorKind.DECODE,
                UploadResponse.of(200, emptyMap(), ByteArray(0)) to ErrorKind.DECODE,
                UploadResponse.of(-1, emptyMap(), ByteArray(0)) to ErrorKind.TRANSPORT,
                null to ErrorKind.TRANSPORT,
            )
            for ((response, kind) in kinds) {
                val error = failure(response)
                assertEquals(kind, error.kind)
                assertEquals(kind != ErrorKind.TOO_LARGE, error.mayHaveTakenEffect, "$kind")
                assertFalse("Rosa" in error.stackTraceToString())
            }
            val meals = client.nutritionRecords
            val other = expectFailure { meals.readUploadResponse(receipt, UploadResponse.of(200, emptyMap(), html)) }
            assertEquals("receipt", other.argument)
            assertEquals("nutritionRecords.readUploadResponse", other.call)
        }
    }

    @Test
    fun `a file that exists, or whose call would fail, is not written`(): Unit = runBlocking {
        val file = File(folder, "body").apply { writeText("kept") }
        mocked().use { client ->
            for (path in listOf(file, folder, File(folder, "missing/body"))) {
                val error = expectFailure { client.labReports.prepareUpload(document, path) }
                assertEquals(ErrorKind.INVALID_ARGUMENT, error.kind)
                assertEquals("file", error.argument)
                assertEquals("labReports.prepareUpload", error.call)
                assertFalse(folder.path in error.stackTraceToString())
            }
            assertEquals("kept", file.readText())
            val gif = PictureUpload.of("GIF89a\u0001".toByteArray())
            assertEquals("body", expectFailure { client.nutritionRecords.prepareUpload(gif, File(folder, "gif")) }.argument)
            assertArrayEquals(arrayOf("body"), folder.list())
        }
    }

    @Test
    fun `no text contains the token, and its expiry is stated`(): Unit = runBlocking {
        val secret = "token-" + UUID.randomUUID()
        val client = VitalwireClient {
            baseUrl = "https://health.example.org"
            tokenProvider = TokenProvider { AccessToken(secret, 1.hours) }
        }
        client.use {
            val upload = it.labReports.prepareUpload(document, File(folder, "body"))
            assertEquals("https://health.example.org/v3/lab_reports", upload.url)
            assertEquals("Bearer $secret", upload.headers["authorization"])
            assertTrue(upload.tokenExpiresAt!!.isAfter(Instant.now().plusSeconds(3500)))
            val response = UploadResponse.of(200, upload.headers.mapValues { listOf(it.value) }, ByteArray(0))
            assertFalse(secret in "$upload ${upload.receipt} $response")
        }
        mocked().use { assertNull(it.labReports.prepareUpload(document, File(folder, "other")).tokenExpiresAt) }
    }

    @Test
    fun `a fake can implement both functions`(): Unit = runBlocking {
        val fake = object : LabReports {}
        assertThrows<UnsupportedOperationException> { fake.prepareUpload(document, File(folder, "body")) }
        assertThrows<UnsupportedOperationException> { fake.readUploadResponse("", null) }
    }
}
