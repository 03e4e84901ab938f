package dev.vitalwire

import java.util.concurrent.CompletableFuture
import java.util.function.Consumer
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.future.future

/** A [RangeCall] for Java. Cancelling what its methods give ends what is on its way. */
public class AsyncRangeCall<T> internal constructor(private val call: RangeCall<T>, private val scope: CoroutineScope) {
    /**
     * Gives the parts to [listener] as they come, in order, one at a time; each has a token for what is left after it.
     *
     * What it gives ends after the last part, or with the first failure unless failures are collected. What the listener throws ends the
     * range.
     */
    public fun forEachPart(listener: Consumer<RangePart<T>>): CompletableFuture<Void?> = scope.future {
        call.parts.collect { listener.accept(it) }
        null
    }

    /** Reads every part and merges the answers. What was read before an error is [soFar]. */
    public fun collectAll(): CompletableFuture<MergedRange<T>> = scope.future { call.collectAll() }

    /** The same; [onProgress] is told after each part, by the thread that drives the range: it returns at once. */
    public fun collectAll(onProgress: Consumer<RangeProgress>): CompletableFuture<MergedRange<T>> =
        scope.future { call.collectAll { onProgress.accept(it) } }

    /** What was read before an error that [collectAll] of this range ended with; null if that was nothing. */
    public fun soFar(error: Throwable): MergedRange<T>? = call.soFar(error)
}
