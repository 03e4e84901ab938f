package dev.vitalwire.bench

import com.sun.management.OperatingSystemMXBean
import dev.vitalwire.MockResponse
import dev.vitalwire.MockResponses
import dev.vitalwire.VitalwireClient
import dev.vitalwire.ffi.ProbeClient
import dev.vitalwire.ffi.probeDecodeSeconds
import dev.vitalwire.get
import java.io.File
import java.lang.management.ManagementFactory
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.DurationUnit
import kotlin.time.TimeSource
import kotlinx.coroutines.runBlocking
import kotlinx.serialization.json.add
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.put
import kotlinx.serialization.json.putJsonArray

/**
 * Declares rows and runs alternatives, as the module `program` of the crate `vitalwire-bench` describes. The argument is `calls` or `rest`.
 * `cargo xtask bench --only kotlin` compiles this program with the probe and runs it.
 */
fun main(arguments: Array<String>): Unit = runBlocking {
    val url = System.getenv("BENCH_URL")
    val alternatives = if (arguments[0] == "calls") calls(url) else coldJvm(url) + records()
    println()
    val warm = mutableSetOf<String>()
    for (line in generateSequence(::readlnOrNull)) {
        val (times, name) = line.split(' ')
        val run = alternatives.getValue(name)
        if (warm.add(name)) warmUp(if (arguments[0] == "calls") WARM_UP * 4 else WARM_UP, run)
        val before = processorTime()
        val wall = run(times.toInt())
        println("$wall ${(processorTime() - before) / times.toInt()}")
    }
}

/** Runs a number of times and returns the average time of a run, in seconds. */
internal typealias Alternative = suspend (times: Int) -> Double

/** Creates an alternative that runs [work] and measures the time. */
internal fun timed(work: suspend () -> Unit): Alternative = { times ->
    val started = TimeSource.Monotonic.markNow()
    repeat(times) { work() }
    started.elapsedNow().toDouble(DurationUnit.SECONDS) / times
}

private const val TOKEN = "bench-token"

/** Time for the JIT compiler. Small calls need more, because the program and the compiler share one core. */
private val WARM_UP = 2.seconds

private suspend fun warmUp(time: Duration, run: Alternative) {
    val started = TimeSource.Monotonic.markNow()
    while (started.elapsedNow() < time) run(1)
}

/** Returns the processor time of this process in seconds, including JIT compilation and garbage collection. */
private fun processorTime(): Double = (ManagementFactory.getOperatingSystemMXBean() as OperatingSystemMXBean).processCpuTime / 1e9

/** Declares a row of the table. */
private fun row(measure: String, ours: String, baseline: String, figure: String, gate: String = "") {
    println(
        buildJsonObject {
            put("measure", measure)
            put("ours", ours)
            put("baseline", baseline)
            put("figure", figure)
            put("gate", gate)
        },
    )
}

/** Declares a program of this folder, which runs in a new JVM with the class path and options of this JVM. */
private fun program(name: String, main: String, vararg arguments: String) {
    val java = File(System.getProperty("java.home"), "bin/java").path
    val options = ManagementFactory.getRuntimeMXBean().inputArguments
    val classPath = System.getProperty("java.class.path")
    val command = listOf(java) + options + listOf("-classpath", classPath, "dev.vitalwire.bench.$main") + arguments
    println(
        buildJsonObject {
            put("name", name)
            putJsonArray("command") { command.forEach { add(it) } }
        },
    )
}

private fun coldJvm(url: String): Map<String, Alternative> {
    program("empty", "EmptyKt")
    program("cold", "ColdStartKt", url, TOKEN)
    row("first client and call of a cold JVM above an empty main, ms", "cold", "empty", "difference", "<= 400")
    return emptyMap()
}

private fun records(): Map<String, Alternative> {
    val json = File(System.getenv("BENCH_PAYLOADS"), "sleep.json").readText()
    val mockClient = VitalwireClient { mockResponses = MockResponses().apply { add("get_sleep", MockResponse.json(json)) } }
    row("a sleep, 60 stages, 80,000 values, into Kotlin, by the core's reading", "record", "core", "time", "<= 3")
    val record = timed {
        mockClient.sleeps.get("1") {
            includeStages = true
            includeSamples = true
        }
    }
    return mapOf("record" to record, "core" to { times -> probeDecodeSeconds(json, times.toUInt()) })
}

private fun calls(url: String): Map<String, Alternative> {
    val client = VitalwireClient {
        baseUrl = url
        token = TOKEN
    }
    row("a warm small call, by the Rust client's", "package", "rust", "time", "<= 2")
    val rust = ProbeClient(url, TOKEN)
    return mapOf("package" to timed { client.user.info() }, "rust" to { times -> rust.seconds(times.toUInt()) })
}
