package dev.vitalwire.guide

// --8<-- [start:program]
import com.sun.net.httpserver.HttpExchange
import com.sun.net.httpserver.HttpServer
import dev.vitalwire.*
import dev.vitalwire.server.signUserId
import java.net.InetSocketAddress
import java.util.concurrent.Executors
import kotlinx.coroutines.runBlocking
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.put

/** Seconds after which an app replaces its token. The response does not state how long the token is valid. */
const val LIFETIME = 3600

/** Returns the user who is signed in. A stub: replace it with the sessions of your server. */
fun sessionUser(request: HttpExchange): String? =
    if (request.requestHeaders.getFirst("Authorization") == "Bearer a-session-of-person-1") "person-1" else null

fun main() {
    val service = VitalwireClient { baseUrl = System.getenv("VITALWIRE_BASE_URL") }
    val applicationId = System.getenv("APPLICATION_ID").toLong()
    val key = System.getenv("APPLICATION_KEY")

    fun answer(request: HttpExchange): Pair<Int, String> {
        // A context also matches longer paths.
        if (request.requestURI.path != "/token") return 404 to ""
        if (request.requestMethod != "POST") return 405 to ""
        val user = sessionUser(request) ?: return 401 to ""
        val token = try {
            runBlocking { service.tokens.exchange(applicationId, user, signUserId(key, user)) }
        } catch (_: VitalwireException) {
            return 502 to ""
        }
        return 200 to "${buildJsonObject { put("access_token", token.accessToken); put("expires_in", LIFETIME) }}"
    }

    val server = HttpServer.create(InetSocketAddress("127.0.0.1", System.getenv("PORT").toInt()), 0)
    server.createContext("/token") { request ->
        val (status, text) = answer(request)
        val body = text.toByteArray()
        request.responseHeaders["Content-Type"] = "application/json"
        request.responseHeaders["Cache-Control"] = "no-store"
        request.sendResponseHeaders(status, if (body.isEmpty()) -1 else body.size.toLong())
        request.responseBody.use { it.write(body) }
    }
    server.executor = Executors.newFixedThreadPool(16)
    server.start()
    println("listening")
}
// --8<-- [end:program]
