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
    public val found: Flow<NightResult> get() = flow {
        open().use { nights -> while (true) emit(nights.next() ?: break) }
    }

    /** Returns a reader of the nights. */
    public fun open(): RangeReader<NightResult> = unsupported("open")

    /**
     * Reads all nights. The parts of the result are the days that were read, with the indexes of their nights.
     *
     * @param onProgress called after each day, on the thread that runs the search. It must return quickly. If it throws, the
     * search ends and rethrows the exception.
     * @throws VitalwireException if a call fails. Its `resumeToken` has the days that were not read; [partialResult] returns the nights
     * that were read.
     * @throws RangeCancelledException if the coroutine is cancelled. It also has a `resumeToken` and works with [partialResult].
     */
    public suspend fun collectAll(onProgress: (RangeProgress) -> Unit = {}): MergedRange<List<Night>>

    /**
     * Reads all nights into the table `sleeps`, one row for each sleep. A column marks naps.
     *
     * Stages and samples are not requested. A resume token continues both [collectAll] and this function.
     *
     * ```kotlin
     * val table = client.sleeps.between(monday, sunday).collectSleepsTable(missingRows = true).response
     * for (point in table.points("score")) dot(point.time, point.value)
     * ```
     *
     * @param missingRows whether to add a row for each day without a sleep. Such a row has only the date. Days that failed have no
     * row. Defaults to false.
     * @param onProgress called after each day, on the thread that runs the search. It must return quickly. If it throws, the
     * search ends and rethrows the exception.
     * @throws VitalwireException if a call fails. Its `resumeToken` has the days that were not read; [partialSleepsTable] returns the
     * rows that were read.
     * @throws RangeCancelledException if the coroutine is cancelled. It also has a `resumeToken` and works with [partialSleepsTable].
     */
    public suspend fun collectSleepsTable(
        missingRows: Boolean = false,
        onProgress: (RangeProgress) -> Unit = {},
    ): MergedRange<Table> = unsupported("collectSleepsTable")

    /** Returns the nights that [collectAll] of this search read before it threw this error; null if there are none. */
    public fun partialResult(error: Throwable): MergedRange<List<Night>>? = null

    /** Returns the rows that [collectSleepsTable] of this search read before it threw this error; null if there are none. */
    public fun partialSleepsTable(error: Throwable): MergedRange<Table>? = null

    public companion object {
        /** Creates a search that finds these nights, for fakes. */
        @JvmStatic
        public fun of(nights: List<Night>): NightSearch = FakeNightSearch(nights.toList())
    }
}
