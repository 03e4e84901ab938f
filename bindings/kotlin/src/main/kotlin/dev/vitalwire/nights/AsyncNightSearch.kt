package dev.vitalwire

import java.util.concurrent.CompletableFuture
import java.util.function.Consumer
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.future.future

/** A [NightSearch] for Java. Cancelling what its methods give ends what is on its way. */
public class AsyncNightSearch internal constructor(private val search: NightSearch, private val scope: CoroutineScope) {
    /**
     * Gives the nights to [listener] as they are found, in the order of their days, one at a time; each has a token for what is left after it.
     *
     * What it gives ends after the last night, or with the first failure unless failures are collected. What the listener throws ends the
     * search.
     */
    public fun forEachNight(listener: Consumer<FoundNight>): CompletableFuture<Void?> = scope.future {
        search.found.collect { listener.accept(it) }
        null
    }

    /** Reads every night. What was read before an error is [soFar]. */
    public fun collectAll(): CompletableFuture<MergedRange<List<Night>>> = scope.future { search.collectAll() }

    /** The same; [onProgress] is told after each day, by the thread that drives the search: it returns at once. */
    public fun collectAll(onProgress: Consumer<RangeProgress>): CompletableFuture<MergedRange<List<Night>>> =
        scope.future { search.collectAll { onProgress.accept(it) } }

    /** The nights that were read before an error that [collectAll] of this search ended with; null if there are none. */
    public fun soFar(error: Throwable): MergedRange<List<Night>>? = search.soFar(error)
}
