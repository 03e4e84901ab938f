package dev.vitalwire.guide

// --8<-- [start:program]
import dev.vitalwire.*
import java.io.File
import java.io.IOException
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.time.Duration
import java.util.UUID
/** Sends a prepared upload with the HTTP client of the JDK. Returns null if no response arrived. */
fun send(upload: PreparedUpload): UploadResponse? {
    val request = HttpRequest.newBuilder(URI(upload.url)).method(upload.method, HttpRequest.BodyPublishers.ofFile(upload.file.toPath()))
        .timeout(Duration.ofMinutes(4))
    upload.headers.forEach(request::header)
    return try {
        // By default, HttpClient does not follow redirects or retry uploads.
        val response = HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofByteArray())
        UploadResponse.of(response.statusCode(), response.headers().map(), response.body())
    } catch (_: IOException) {
        null
    }
}

suspend fun main() {
    val client = VitalwireClient {
        baseUrl = System.getenv("VITALWIRE_BASE_URL")
        token = System.getenv("VITALWIRE_TOKEN")
    }
    client.use {
        // Each upload has its own file. Remove old ones when the app starts, because the process may have been killed.
        val body = File("report-${UUID.randomUUID()}.body")
        try {
            val upload = client.labReports.prepareUpload(DocumentUpload.of(File("report.pdf"), name = "report.pdf"), body)
            val report = client.labReports.readUploadResponse(upload.receipt, send(upload)).labReport
            println("uploaded, ${client.labReports.waitFor(report.id).status.text}")
        } catch (error: VitalwireException) {
            println(if (error.mayHaveTakenEffect) "look for the report before you upload it again" else "not uploaded: ${error.message}")
        } finally {
            body.delete()
        }
    }
}
// --8<-- [end:program]
