package dev.vitalwire

import java.util.concurrent.CompletableFuture
import java.util.function.Consumer
import kotlinx.coroutines.CoroutineScope

/** A [NightSearch] for Java. Cancelling a returned future aborts the calls in flight. */
public class AsyncNightSearch internal constructor(private val search: NightSearch, private val scope: CoroutineScope) {
    /**
     * Calls [listener] for each night as it is found, one at a time and in the order of the days. Each night has a resume token.
     *
     * The future completes after the last night, or with the first failure unless failures are collected. An exception in the listener
     * ends the search.
     */
    public fun forEachNight(listener: Consumer<NightResult>): CompletableFuture<Void?> = scope.startCall {
        search.found.collect { listener.accept(it) }
        null
    }

    /** Reads all nights. After an error, [partialResult] returns the nights that were read. */
    public fun collectAll(): CompletableFuture<MergedRange<List<Night>>> = scope.startCall { search.collectAll() }

    /** Reads all nights and calls [onProgress] after each day, on the thread that runs the search. [onProgress] must return quickly. */
    public fun collectAll(onProgress: Consumer<RangeProgress>): CompletableFuture<MergedRange<List<Night>>> =
        scope.startCall { search.collectAll { onProgress.accept(it) } }

    /**
     * Reads all nights into the table `sleeps`, one row for each sleep. After an error, [partialSleepsTable] returns the rows that were
     * read.
     *
     * @param missingRows whether to add a row for each day without a sleep. Such a row has only the date. Days that failed have no
     * row. Defaults to false.
     */
    @JvmOverloads
    public fun collectSleepsTable(missingRows: Boolean = false): CompletableFuture<MergedRange<Table>> =
        scope.startCall { search.collectSleepsTable(missingRows) }

    /**
     * Reads all nights into the table `sleeps` and calls [onProgress] after each day, on the thread that runs the search. [onProgress] must
     * return quickly.
     */
    public fun collectSleepsTable(missingRows: Boolean, onProgress: Consumer<RangeProgress>): CompletableFuture<MergedRange<Table>> =
        scope.startCall { search.collectSleepsTable(missingRows) { onProgress.accept(it) } }

    /** Returns the nights that [collectAll] of this search read before it failed with this error; null if there are none. */
    public fun partialResult(error: Throwable): MergedRange<List<Night>>? = search.partialResult(error)

    /** Returns the rows that [collectSleepsTable] of this search read before it failed with this error; null if there are none. */
    public fun partialSleepsTable(error: Throwable): MergedRange<Table>? = search.partialSleepsTable(error)
}
