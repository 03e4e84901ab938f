package dev.vitalwire.conformance

import kotlinx.coroutines.future.await
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonElement
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.time.Duration

/** A client of the judge. The address of the judge is in an environment variable. */
internal object Judge {
    private val address = environment("VITALWIRE_JUDGE")
    private val run = environment("VITALWIRE_RUN")

    /** HTTP client that ignores the machine's proxy settings. */
    private val http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).proxy(HttpClient.Builder.NO_PROXY).build()

    /** Returns the cases of this run. */
    suspend fun plan(): JsonElement = Json.parseToJsonElement(send("plan/$run/json", null))

    suspend fun outcome(case: String, outcome: JsonElement) {
        send("outcome/$run/$case", outcome)
    }

    /** Posts all captured output to the judge. */
    suspend fun texts(lines: JsonElement) {
        send("texts/$run", lines)
    }

    private suspend fun send(place: String, body: JsonElement?): String {
        val request = HttpRequest.newBuilder(URI("$address/$place")).timeout(Duration.ofMinutes(1))
        body?.let { request.POST(HttpRequest.BodyPublishers.ofString("$it")) }
        val response = http.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString()).await()
        check(response.statusCode() in 200..299) { "$place: ${response.statusCode()}" }
        return response.body()
    }

    private fun environment(name: String) = checkNotNull(System.getenv(name)) { "$name is not set; run this by `cargo xtask conformance`" }
}
