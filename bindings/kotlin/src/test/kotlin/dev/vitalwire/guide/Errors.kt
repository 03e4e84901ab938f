package dev.vitalwire.guide

// --8<-- [start:program]
import dev.vitalwire.*
import java.io.IOException
import java.time.LocalDate
import kotlin.time.Duration.Companion.minutes

/** Returns advice for a failed call. The client has already retried it if that was safe. */
fun advice(error: VitalwireException): String = when {
    error.mayHaveTakenEffect -> "look for the record before you send it again"
    error is VitalwireException.NotFound -> "there is no such record"
    // If the token function failed, its exception distinguishes an outage of your server from a rejected sign-in.
    error is VitalwireException.Authentication -> if (error.cause is IOException) "try again later" else "sign in again"
    error is VitalwireException.Configuration -> "correct the settings of the client"
    error.isTransient -> "try again in ${error.retryAfter ?: 1.minutes}"
    else -> "correct the request: ${error.problem?.errors.orEmpty().mapNotNull { it.location }.joinToString()}"
}

suspend fun main() {
    val client = VitalwireClient {
        baseUrl = System.getenv("VITALWIRE_BASE_URL")
        token = System.getenv("VITALWIRE_TOKEN")
    }
    val offline = VitalwireClient {
        baseUrl = System.getenv("VITALWIRE_BASE_URL")
        tokenProvider { throw IOException("no network") }
    }
    val day = LocalDate.of(2025, 11, 20)
    // The header makes the sandbox play a failure. Other services ignore it.
    val fault = "x-sandbox-fault"
    val calls = listOf<suspend () -> Unit>(
        { client.sleeps.get("00000000-0000-4000-8000-000000000000") },
        { client.statistics.daily(day, day, listOf(StatisticName("sleepiness"))) },
        { client.user.info { header(fault, "status; status=503; retry_after=120") } },
        { client.labReports.upload("Glucose 92 mg/dL".toByteArray(), "report.txt") { header(fault, "reset_after") } },
        { offline.user.info() },
    )
    client.use {
        for (call in calls) {
            try {
                call()
            } catch (error: VitalwireException) {
                println("${error.code} ${error.kind}: ${advice(error)}")
            }
        }
    }
}
// --8<-- [end:program]
