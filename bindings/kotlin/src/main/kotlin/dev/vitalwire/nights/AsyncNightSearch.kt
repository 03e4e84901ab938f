package dev.vitalwire

import java.util.concurrent.CompletableFuture
import java.util.function.Consumer
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.future.future

/** A [NightSearch] for Java. Cancelling a returned future aborts the calls in flight. */
public class AsyncNightSearch internal constructor(private val search: NightSearch, private val scope: CoroutineScope) {
    /**
     * Calls [listener] for each night as it is found, one at a time and in the order of the days. Each night has a resume token.
     *
     * The future completes after the last night, or with the first failure unless failures are collected. An exception in the listener
     * ends the search.
     */
    public fun forEachNight(listener: Consumer<FoundNight>): CompletableFuture<Void?> = scope.future {
        search.found.collect { listener.accept(it) }
        null
    }

    /** Reads all nights. After an error, [soFar] returns the nights that were read. */
    public fun collectAll(): CompletableFuture<MergedRange<List<Night>>> = scope.future { search.collectAll() }

    /** Reads all nights and calls [onProgress] after each day, on the thread that runs the search. [onProgress] must return quickly. */
    public fun collectAll(onProgress: Consumer<RangeProgress>): CompletableFuture<MergedRange<List<Night>>> =
        scope.future { search.collectAll { onProgress.accept(it) } }

    /** Returns the nights that [collectAll] of this search read before it failed with this error; null if there are none. */
    public fun soFar(error: Throwable): MergedRange<List<Night>>? = search.soFar(error)
}
