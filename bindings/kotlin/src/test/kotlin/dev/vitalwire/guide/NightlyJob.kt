package dev.vitalwire.guide

// --8<-- [start:program]
import dev.vitalwire.*
import kotlin.time.Duration.Companion.minutes
import kotlinx.coroutines.delay

/** Retries a call up to four times, each after the delay that the service requests, or after a minute. */
suspend fun <T> untilAvailable(call: suspend () -> T): T {
    repeat(4) {
        try {
            return call()
        } catch (error: VitalwireException) {
            if (!error.isTransient || error.mayHaveTakenEffect) throw error
            val delay = error.retryAfter ?: 1.minutes
            println("${error.kind}, next call in $delay")
            delay(delay)
        }
    }
    return call()
}

suspend fun main() {
    val client = VitalwireClient {
        baseUrl = System.getenv("VITALWIRE_BASE_URL")
        token = System.getenv("VITALWIRE_TOKEN")
        // Disable the client's own retries, which respect delays of up to 60 seconds only.
        maxRetries = 0
    }
    var isFirst = true
    client.use {
        val user = untilAvailable {
            client.user.info {
                // The header makes the sandbox play a failure. Other services ignore it.
                if (isFirst) header("x-sandbox-fault", "status; status=503; retry_after=1")
                isFirst = false
            }
        }
        println("${user.integratedProviders?.size} providers")
    }
}
// --8<-- [end:program]
