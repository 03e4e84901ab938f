package dev.vitalwire.bench

import dev.vitalwire.Answer
import dev.vitalwire.Answers
import dev.vitalwire.VitalwireClient
import dev.vitalwire.get
import java.io.File
import kotlinx.coroutines.runBlocking

/**
 * Measures the package beside the core, in one process, and a cold JVM in others. `cargo xtask bench --only kotlin` compiles it with the
 * probe, and runs it:
 *
 *     <base URL of the server> <file of a sleep record> [--quick]
 */
fun main(arguments: Array<String>): Unit = runBlocking {
    val effort = if ("--quick" in arguments) Effort.QUICK else Effort.FULL
    val (url, token) = arguments[0] to "bench-token"

    // Before anything else heats the machine.
    val cold = compare(effort.cold(), Jvm.program("EmptyKt"), Jvm.program("ColdKt", url, token))
    line(
        "first client and call of a cold JVM above an empty main, ms", shown(cold.median(1)), shown(cold.median(0)), cold.excess(1, 0) * 1e3, 400.0,
    )

    val json = File(arguments[1]).readText()
    val remembering = VitalwireClient { answers = Answers().apply { add("get_sleep", Answer.json(json)) } }
    val record: Way = timed {
        remembering.sleeps.get("1") {
            includeStages = true
            includeSamples = true
        }
    }
    val decode = compare(effort, record, Baseline.decode(json), Baseline.crossing(json))
    val sleep = "a sleep, 60 stages, 80,000 values"
    line("$sleep, into Kotlin, by the core's reading", shown(decode.median(0)), shown(decode.median(1)), decode.ratio(0, 1), 3.0)
    line("$sleep, share of the package's own records", shown(decode.median(0)), shown(decode.median(2)), 1 - decode.ratio(2, 0))

    val client = VitalwireClient {
        baseUrl = url
        this.token = token
    }
    val calls = compare(effort, timed { client.user.info() }, Baseline.call(url, token))
    line("a warm small call, by the Rust client's", shown(calls.median(0)), shown(calls.median(1)), calls.ratio(0, 1), 2.0)
}
