package dev.vitalwire

import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow

/**
 * A search for sleeps by their days: collect the nights as they are found, in the order of their days, or all of them as one answer.
 *
 * ```kotlin
 * client.sleeps.between(monday, sunday) { includeStages = true }.found.collect { show(it.night.record) }
 * val nights = client.sleeps.between(monday, sunday).collectAll().response
 * ```
 *
 * Nothing is requested before, and each time it is requested anew. Options of the call apply to each call by itself, timeouts included.
 */
public interface NightSearch {
    /**
     * The nights; the first failure ends them, unless failures are collected.
     *
     * A collector that goes away ends what is on its way. One that is cancelled while it waits for a night ends with a
     * [RangeCancelledException], which has the days that were not handed out.
     */
    public val found: Flow<FoundNight> get() = flow {
        open().use { nights -> while (true) emit(nights.next() ?: break) }
    }

    /** The nights, to be read one by one. */
    public fun open(): RangeReader<FoundNight> = unsupported("nights to read one by one")

    /**
     * Reads every night. The parts of what this gives are the days that were read, and where their nights are.
     *
     * @param onProgress is told after each day, by the thread that drives the search: it returns at once. What it throws ends the search,
     * which throws it.
     * @throws VitalwireException whose `resumeToken` has the days that were not read, and [soFar] the nights that were.
     * @throws RangeCancelledException where the coroutine is cancelled, with both.
     */
    public suspend fun collectAll(onProgress: (RangeProgress) -> Unit = {}): MergedRange<List<Night>>

    /** The nights that were read before an error that [collectAll] of this search threw; null if there are none. */
    public fun soFar(error: Throwable): MergedRange<List<Night>>? = null

    public companion object {
        /** A search made by hand, for fakes: it finds these nights. */
        @JvmStatic
        public fun of(nights: List<Night>): NightSearch = KnownNights(nights.toList())
    }
}
