package dev.vitalwire.bench

import dev.vitalwire.MockResponse
import dev.vitalwire.MockResponses
import dev.vitalwire.VitalwireClient
import dev.vitalwire.get
import java.io.File
import kotlinx.coroutines.runBlocking

/**
 * Measures the package and the core in this process, and cold starts in new JVMs. `cargo xtask bench --only kotlin`
 * compiles this program with the probe and runs it:
 *
 *     calls <base URL of the server> [--quick]
 *     rest <base URL of the server> <file of a sleep record> [--quick]
 */
fun main(arguments: Array<String>): Unit = runBlocking {
    val budget = if ("--quick" in arguments) Budget.QUICK else Budget.FULL
    if (arguments[0] == "calls") {
        calls(arguments[1], budget)
    } else {
        coldJvm(arguments[1], budget)
        records(File(arguments[2]).readText(), budget)
    }
}

private const val TOKEN = "bench-token"

private suspend fun coldJvm(url: String, budget: Budget) {
    val cold = compare(budget.cold(), Jvm.program("EmptyKt"), Jvm.program("ColdStartKt", url, TOKEN))
    line(
        "first client and call of a cold JVM above an empty main, ms",
        formatSeconds(cold.median(1)), formatSeconds(cold.median(0)), cold.difference(1, 0) * 1e3, 400.0,
    )
}

private suspend fun records(json: String, budget: Budget) {
    val mockClient = VitalwireClient { mockResponses = MockResponses().apply { add("get_sleep", MockResponse.json(json)) } }
    val record: Alternative = timed {
        mockClient.sleeps.get("1") {
            includeStages = true
            includeSamples = true
        }
    }
    val decode = compare(budget, record, Baseline.decode(json), Baseline.toNative(json))
    val sleep = "a sleep, 60 stages, 80,000 values"
    line("$sleep, into Kotlin, by the core's reading", formatSeconds(decode.median(0)), formatSeconds(decode.median(1)),
        decode.ratio(0, 1), 3.0)
    line("$sleep, share of the package's own records", formatSeconds(decode.median(0)), formatSeconds(decode.median(2)),
        1 - decode.ratio(2, 0))
}

private suspend fun calls(url: String, budget: Budget) {
    val client = VitalwireClient {
        baseUrl = url
        token = TOKEN
    }
    val calls = compare(budget.withLongWarmup(), timed { client.user.info() }, Baseline.call(url, TOKEN))
    line("a warm small call, by the Rust client's", calls.formatTimes(0), calls.formatTimes(1), calls.ratio(0, 1), 2.0)
}
