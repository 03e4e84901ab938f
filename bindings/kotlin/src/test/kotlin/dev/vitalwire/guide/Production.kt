package dev.vitalwire.guide

// --8<-- [start:program]
import dev.vitalwire.*
import kotlin.time.Duration.Companion.seconds

suspend fun main() {
    val client = VitalwireClient {
        baseUrl = System.getenv("VITALWIRE_BASE_URL")
        token = System.getenv("VITALWIRE_TOKEN")
        userAgent = "my-app/1.0"
        connectTimeout = 5.seconds
        timeout = 20.seconds
        maxRetries = 4
        retryMaxDelay = 2.seconds
        // Send these fields to your metrics. None of them contains health data or a token.
        onAttempt { println("${it.operation}, attempt ${it.attempt}: ${it.status ?: "no response"}") }
    }
    client.use {
        // The sandbox fails the first attempt of this call. Other services ignore the header.
        val user = client.withResponse { user.info { header("x-sandbox-fault", "status; status=503; times=1") } }
        println("${user.value.integratedProviders?.size} providers after ${user.attempts} attempts")
    }
}
// --8<-- [end:program]
