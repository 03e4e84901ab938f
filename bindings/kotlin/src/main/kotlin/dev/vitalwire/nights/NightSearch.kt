package dev.vitalwire

import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow

/**
 * A search for sleeps by their days. Collect the nights as they are found, in the order of the days, or read all of them at once.
 *
 * ```kotlin
 * client.sleeps.between(monday, sunday) { includeStages = true }.found.collect { show(it.night.record) }
 * val nights = client.sleeps.between(monday, sunday).collectAll().response
 * ```
 *
 * Requests are sent when you start to read, and again each time. Call options, including timeouts, apply to each request separately.
 */
public interface NightSearch {
    /**
     * The nights, in the order of their days. The first failure ends the flow, unless failures are collected.
     *
     * When collection ends early, the calls in flight are aborted. A collector that is cancelled while it waits for a night throws a
     * [RangeCancelledException] with the remaining days.
     */
    public val found: Flow<FoundNight> get() = flow {
        open().use { nights -> while (true) emit(nights.next() ?: break) }
    }

    /** Returns a reader of the nights. */
    public fun open(): RangeReader<FoundNight> = unsupported("open")

    /**
     * Reads all nights. The parts of the result are the days that were read, with the indexes of their nights.
     *
     * @param onProgress called after each day, on the thread that runs the search. It must return quickly. If it throws, the
     * search ends and rethrows the exception.
     * @throws VitalwireException if a call fails. Its `resumeToken` has the days that were not read; [soFar] returns the nights
     * that were read.
     * @throws RangeCancelledException if the coroutine is cancelled. It also has a `resumeToken` and works with [soFar].
     */
    public suspend fun collectAll(onProgress: (RangeProgress) -> Unit = {}): MergedRange<List<Night>>

    /** Returns the nights that [collectAll] of this search read before it threw this error; null if there are none. */
    public fun soFar(error: Throwable): MergedRange<List<Night>>? = null

    public companion object {
        /** Creates a search that finds these nights, for fakes. */
        @JvmStatic
        public fun of(nights: List<Night>): NightSearch = FakeNightSearch(nights.toList())
    }
}
