package dev.vitalwire.guide

// --8<-- [start:program]
import com.sun.net.httpserver.HttpServer
import dev.vitalwire.VitalwireException
import dev.vitalwire.server.WebhookKind
import dev.vitalwire.server.WebhookVerifier
import dev.vitalwire.server.Webhooks
import java.net.InetSocketAddress
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.Executors

class WebhookReceiver(private val verifier: WebhookVerifier) {
    /** Whether a body was processed, by its content key. Keep the keys in a database, so that they survive a restart. */
    private val processed = ConcurrentHashMap<String, Boolean>()

    /** Processes a body once. Returns the status of the response. */
    fun receive(body: ByteArray, signature: String?): Int {
        try {
            verifier.verify(body, signature)
        } catch (_: VitalwireException) {
            return 401
        }
        val key = Webhooks.contentKey(body)
        // With status 503, the service sends the body again.
        processed.putIfAbsent(key, false)?.let { done -> return if (done) 200 else 503 }
        return try {
            process(body).also { status -> if (status == 200) processed[key] = true }
        } catch (_: VitalwireException) {
            400
        } finally {
            processed.remove(key, false)
        }
    }

    private fun process(body: ByteArray): Int {
        when (Webhooks.detectKind(body)) {
            WebhookKind.EVENTS -> for (event in Webhooks.parseEvents(body)) println(event.eventType?.text ?: "an event")
            WebhookKind.LAB_REPORT -> println("lab report: ${Webhooks.parseLabReport(body).status.text}")
            WebhookKind.NUTRITION -> println("meal: ${Webhooks.parseNutrition(body).status.text}")
            null -> return 400
        }
        return 200
    }
}

fun main() {
    val receiver = WebhookReceiver(WebhookVerifier(System.getenv("VITALWIRE_WEBHOOK_KEY")))
    val server = HttpServer.create(InetSocketAddress("127.0.0.1", System.getenv("PORT").toInt()), 0)
    server.createContext("/") { request ->
        val limit = Webhooks.DEFAULT_BODY_LIMIT.toInt()
        val body = request.requestBody.readNBytes(limit + 1)
        val signature = request.requestHeaders.getFirst(Webhooks.SIGNATURE_HEADER)
        request.sendResponseHeaders(if (body.size > limit) 413 else receiver.receive(body, signature), -1)
        request.close()
    }
    server.executor = Executors.newFixedThreadPool(16)
    server.start()
    println("listening")
}
// --8<-- [end:program]
