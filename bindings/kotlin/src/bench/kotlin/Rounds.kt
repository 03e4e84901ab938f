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

/** How much time a comparison may take. */
internal class Effort(
    /** Rounds of each comparison. */
    val rounds: Int,
    /** Time of each way in a round; a way that takes longer runs once. */
    val slice: Duration,
    /** Time of each way before: code that runs often is compiled meanwhile. */
    val warming: Duration,
) {
    /** The same on one core, where code is compiled in the time of what it is compiled for. */
    fun held(): Effort = Effort(rounds, slice, warming * 4)

    companion object {
        val FULL = Effort(15, 200.milliseconds, 4.seconds)
        val QUICK = Effort(5, 40.milliseconds, 500.milliseconds)
    }
}

/** A way to do a thing so many times, one after the other: the seconds of one. */
internal typealias Way = suspend (times: Int) -> Double

/** Makes a way of work that is timed here. */
internal fun timed(work: suspend () -> Unit): Way = { times ->
    val started = TimeSource.Monotonic.markNow()
    repeat(times) { work() }
    started.elapsedNow().toDouble(DurationUnit.SECONDS) / times
}

/**
 * Seconds of each way, by round, and those that this process worked in them, on all its threads. Within a round all ways meet the same
 * machine: ratios are taken there.
 */
internal class Found(private val seconds: List<List<Double>>, private val worked: List<List<Double>>) {
    fun median(way: Int): Double = middle(seconds[way])

    fun ratio(one: Int, other: Int): Double = middle(seconds[one].zip(seconds[other]) { a, b -> a / b })

    /** A way's time by the clock, and by the processor. */
    fun shownWithWork(way: Int): String = "${shown(median(way))}, worked ${shown(middle(worked[way]))}"

    /** What one takes more than another. */
    fun excess(one: Int, other: Int): Double = middle(seconds[one].zip(seconds[other]) { a, b -> a - b })

    private fun middle(values: List<Double>) = values.sorted()[values.size / 2]
}

/** Runs all ways in turn; which goes first changes from round to round. */
internal suspend fun compare(effort: Effort, vararg ways: Way): Found {
    val times = ways.map { way ->
        val started = TimeSource.Monotonic.markNow()
        // One that something else held up says nothing of the others.
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

/** Seconds that this process has worked, compiling and collecting included. */
private fun worked(): Double = (ManagementFactory.getOperatingSystemMXBean() as OperatingSystemMXBean).processCpuTime / 1e9

/** A measure, as `cargo xtask bench` reads it; [most] is the gate: the figure must be that or less. */
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

/** Seconds as people read them. */
internal fun shown(seconds: Double): String =
    if (seconds < 1e-3) String.format(java.util.Locale.ROOT, "%.0f us", seconds * 1e6)
    else String.format(java.util.Locale.ROOT, "%.2f ms", seconds * 1e3)
