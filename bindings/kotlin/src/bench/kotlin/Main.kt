package dev.vitalwire.bench

import dev.vitalwire.MockResponse
import dev.vitalwire.MockResponses
import dev.vitalwire.VitalwireClient
import dev.vitalwire.get
import java.io.File
import kotlinx.coroutines.runBlocking

/**
 * Measures the package and the core in one process, and cold JVMs in others. `cargo xtask bench --only kotlin`
 * compiles it with the probe and runs it:
 *
 *     calls <base URL of the server> [--quick]
 *     rest <base URL of the server> <file of a sleep record> [--quick]
 */
fun main(arguments: Array<String>): Unit = runBlocking {
    val effort = if ("--quick" in arguments) Effort.QUICK else Effort.FULL
    if (arguments[0] == "calls") {
        calls(arguments[1], effort)
    } else {
        coldJvm(arguments[1], effort)
        records(File(arguments[2]).readText(), effort)
    }
}

private const val TOKEN = "bench-token"

private suspend fun coldJvm(url: String, effort: Effort) {
    val cold = compare(effort.cold(), Jvm.program("EmptyKt"), Jvm.program("ColdKt", url, TOKEN))
    line(
        "first client and call of a cold JVM above an empty main, ms", shown(cold.median(1)), shown(cold.median(0)), cold.excess(1, 0) * 1e3, 400.0,
    )
}

private suspend fun records(json: String, effort: Effort) {
    val remembering = VitalwireClient { mockResponses = MockResponses().apply { add("get_sleep", MockResponse.json(json)) } }
    val record: Way = timed {
        remembering.sleeps.get("1") {
            includeStages = true
            includeSamples = true
        }
    }
    val decode = compare(effort, record, Baseline.decode(json), Baseline.toNative(json))
    val sleep = "a sleep, 60 stages, 80,000 values"
    line("$sleep, into Kotlin, by the core's reading", shown(decode.median(0)), shown(decode.median(1)), decode.ratio(0, 1), 3.0)
    line("$sleep, share of the package's own records", shown(decode.median(0)), shown(decode.median(2)), 1 - decode.ratio(2, 0))
}

private suspend fun calls(url: String, effort: Effort) {
    val client = VitalwireClient {
        baseUrl = url
        token = TOKEN
    }
    val calls = compare(effort.held(), timed { client.user.info() }, Baseline.call(url, TOKEN))
    line("a warm small call, by the Rust client's", calls.shownWithWork(0), calls.shownWithWork(1), calls.ratio(0, 1), 2.0)
}
