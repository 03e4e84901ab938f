package dev.vitalwire.bench

import com.sun.management.OperatingSystemMXBean
import java.lang.management.ManagementFactory
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.DurationUnit
import kotlin.time.TimeSource
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.put

/** Duration of a comparison. */
internal class Effort(
    /** Number of rounds. */
    val rounds: Int,
    /** Time of each alternative per round; a slower one runs once. */
    val slice: Duration,
    /** Warm-up time of each alternative, for the JIT compiler. */
    val warming: Duration,
) {
    /** Returns a longer warm-up for one core, which the JIT compiler shares. */
    fun held(): Effort = Effort(rounds, slice, warming * 4)

    companion object {
        val FULL = Effort(15, 200.milliseconds, 4.seconds)
        val QUICK = Effort(5, 40.milliseconds, 500.milliseconds)
    }
}

/** An alternative: runs a number of times and returns the seconds per run. */
internal typealias Way = suspend (times: Int) -> Double

/** Creates an alternative from work that is timed here. */
internal fun timed(work: suspend () -> Unit): Way = { times ->
    val started = TimeSource.Monotonic.markNow()
    repeat(times) { work() }
    started.elapsedNow().toDouble(DurationUnit.SECONDS) / times
}

/**
 * Wall time and processor time of each alternative, by round. Ratios are taken within a round, in which all
 * alternatives run on the same machine state.
 */
internal class Found(private val seconds: List<List<Double>>, private val worked: List<List<Double>>) {
    fun median(way: Int): Double = middle(seconds[way])

    fun ratio(one: Int, other: Int): Double = middle(seconds[one].zip(seconds[other]) { a, b -> a / b })

    /** Formats wall time and processor time of an alternative. */
    fun shownWithWork(way: Int): String = "${shown(median(way))}, worked ${shown(middle(worked[way]))}"

    /** Returns the additional time of one alternative compared with another. */
    fun excess(one: Int, other: Int): Double = middle(seconds[one].zip(seconds[other]) { a, b -> a - b })

    private fun middle(values: List<Double>) = values.sorted()[values.size / 2]
}

/** Runs all alternatives in turn; the order changes from round to round. */
internal suspend fun compare(effort: Effort, vararg ways: Way): Found {
    val times = ways.map { way ->
        val started = TimeSource.Monotonic.markNow()
        // A delayed run says nothing about the others.
        var least = Double.MAX_VALUE
        do least = minOf(least, way(1)) while (started.elapsedNow() < effort.warming)
        (effort.slice.toDouble(DurationUnit.SECONDS) / least).coerceIn(1.0, 1e6).toInt()
    }
    val (seconds, worked) = List(2) { ways.map { mutableListOf<Double>() } }
    for (round in 0 until effort.rounds) {
        for (turn in ways.indices) {
            val at = (round + turn) % ways.size
            val before = worked()
            seconds[at] += ways[at](times[at])
            worked[at] += (worked() - before) / times[at]
        }
    }
    return Found(seconds, worked)
}

/** Returns the processor time of this process in seconds, including compilation and garbage collection. */
private fun worked(): Double = (ManagementFactory.getOperatingSystemMXBean() as OperatingSystemMXBean).processCpuTime / 1e9

/** Prints a measure for `cargo xtask bench`. [most] is the gate: the largest allowed figure. */
internal fun line(measure: String, ours: String, baseline: String, figure: Double, most: Double? = null) {
    val line = buildJsonObject {
        put("measure", measure)
        put("ours", ours)
        put("baseline", baseline)
        put("figure", figure)
        put("gate", most?.let { "<= $it" }.orEmpty())
        put("met", most?.let { figure <= it })
    }
    println(line)
}

/** Formats seconds. */
internal fun shown(seconds: Double): String =
    if (seconds < 1e-3) String.format(java.util.Locale.ROOT, "%.0f us", seconds * 1e6)
    else String.format(java.util.Locale.ROOT, "%.2f ms", seconds * 1e3)
