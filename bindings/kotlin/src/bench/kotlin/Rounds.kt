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

/** Time limits of a comparison. */
internal class Budget(
    val rounds: Int,
    /** Time of each alternative per round. An alternative that takes longer runs once. */
    val slice: Duration,
    /** Warm-up time of each alternative, for the JIT compiler. */
    val warming: Duration,
) {
    /** Returns a budget with a longer warm-up, for measurements on one core, which the JIT compiler shares. */
    fun withLongWarmup(): Budget = Budget(rounds, slice, warming * 4)

    companion object {
        val FULL = Budget(15, 200.milliseconds, 4.seconds)
        val QUICK = Budget(5, 40.milliseconds, 500.milliseconds)
    }
}

/** One of the alternatives of a comparison. Runs a number of times and returns the seconds per run. */
internal typealias Alternative = suspend (times: Int) -> Double

/** Creates an alternative that runs [work] and measures the time. */
internal fun timed(work: suspend () -> Unit): Alternative = { times ->
    val started = TimeSource.Monotonic.markNow()
    repeat(times) { work() }
    started.elapsedNow().toDouble(DurationUnit.SECONDS) / times
}

/**
 * Wall time and processor time of each alternative, by round. Ratios are computed within a round, because the load of the machine
 * changes between rounds.
 */
internal class Measurements(private val seconds: List<List<Double>>, private val processorTimes: List<List<Double>>) {
    fun median(alternative: Int): Double = medianOf(seconds[alternative])

    fun ratio(one: Int, other: Int): Double = medianOf(seconds[one].zip(seconds[other]) { a, b -> a / b })

    /** Formats wall time and processor time of an alternative. */
    fun formatTimes(alternative: Int): String =
        "${formatSeconds(median(alternative))}, worked ${formatSeconds(medianOf(processorTimes[alternative]))}"

    /** Returns by how many seconds alternative [one] is slower than alternative [other]. */
    fun difference(one: Int, other: Int): Double = medianOf(seconds[one].zip(seconds[other]) { a, b -> a - b })

    private fun medianOf(values: List<Double>) = values.sorted()[values.size / 2]
}

/** Runs all alternatives in each round, in an order that changes between rounds. */
internal suspend fun compare(budget: Budget, vararg alternatives: Alternative): Measurements {
    val times = alternatives.map { alternative ->
        val started = TimeSource.Monotonic.markNow()
        // Use the fastest run, because other programs can only delay a run.
        var minimum = Double.MAX_VALUE
        do minimum = minOf(minimum, alternative(1)) while (started.elapsedNow() < budget.warming)
        (budget.slice.toDouble(DurationUnit.SECONDS) / minimum).coerceIn(1.0, 1e6).toInt()
    }
    val (seconds, processorTimes) = List(2) { alternatives.map { mutableListOf<Double>() } }
    for (round in 0 until budget.rounds) {
        for (turn in alternatives.indices) {
            val at = (round + turn) % alternatives.size
            val before = processorTime()
            seconds[at] += alternatives[at](times[at])
            processorTimes[at] += (processorTime() - before) / times[at]
        }
    }
    return Measurements(seconds, processorTimes)
}

/** Returns the processor time of this process in seconds, including JIT compilation and garbage collection. */
private fun processorTime(): Double = (ManagementFactory.getOperatingSystemMXBean() as OperatingSystemMXBean).processCpuTime / 1e9

/** Prints a measurement in the format of `cargo xtask bench`. [most] is the largest allowed [figure]. */
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

internal fun formatSeconds(seconds: Double): String =
    if (seconds < 1e-3) String.format(java.util.Locale.ROOT, "%.0f us", seconds * 1e6)
    else String.format(java.util.Locale.ROOT, "%.2f ms", seconds * 1e3)
