package dev.vitalwire.guide

// --8<-- [start:program]
import dev.vitalwire.*
import java.io.IOException
import kotlin.time.Duration.Companion.hours
import kotlin.time.Duration.Companion.minutes
import kotlinx.coroutines.delay

/** Retries a call up to four times, each after the delay that the service requests, or after a minute. */
suspend fun <T> untilAvailable(call: suspend () -> T): T {
    repeat(4) {
        try {
            return call()
        } catch (error: VitalwireException) {
            // An IOException of the token function is an outage of your server.
            val isOutage = error is VitalwireException.Authentication && error.cause is IOException
            val pause = error.retryAfter ?: 1.minutes
            if (!(error.isTransient || isOutage) || pause > 2.hours) throw error
            println("${error.kind}, next call in $pause")
            delay(pause)
        }
    }
    return call()
}

suspend fun main() {
    val client = VitalwireClient {
        baseUrl = System.getenv("VITALWIRE_BASE_URL")
        token = System.getenv("VITALWIRE_TOKEN")
        // Shows the delay of this program. Without this line, the client first retries by itself, after delays of up to 60 seconds.
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
