package dev.vitalwire

import java.util.concurrent.CompletableFuture
import java.util.function.Consumer
import kotlinx.coroutines.CoroutineScope

/** A [RangeCall] for Java. Cancelling a returned future aborts the calls in flight. */
public class AsyncRangeCall<T> internal constructor(private val call: RangeCall<T>, private val scope: CoroutineScope) {
    /**
     * Calls [listener] for each part as it arrives, one at a time and in order. Each part has a resume token.
     *
     * The future completes after the last part, or with the first failure unless failures are collected. An exception in the listener
     * ends the range call.
     */
    public fun forEachPart(listener: Consumer<RangePart<T>>): CompletableFuture<Void?> = scope.startCall {
        call.parts.collect { listener.accept(it) }
        null
    }

    /** Reads all parts and merges the responses. After an error, [partialResult] returns the parts that were read. */
    public fun collectAll(): CompletableFuture<MergedRange<T>> = scope.startCall { call.collectAll() }

    /** Reads all parts and calls [onProgress] after each, on the thread that runs the range call. [onProgress] must return quickly. */
    public fun collectAll(onProgress: Consumer<RangeProgress>): CompletableFuture<MergedRange<T>> =
        scope.startCall { call.collectAll { onProgress.accept(it) } }

    /** Returns what [collectAll] of this range call read before it failed with this error; null if nothing was read. */
    public fun partialResult(error: Throwable): MergedRange<T>? = call.partialResult(error)
}
