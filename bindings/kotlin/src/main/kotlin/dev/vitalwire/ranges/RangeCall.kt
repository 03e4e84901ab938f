package dev.vitalwire

import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow

/**
 * A call over a range of time, made in parts. Collect the parts as they arrive, or read and merge all of them.
 *
 * ```kotlin
 * client.statistics.dailyInParts(first, last, types, PartLength.days(30)).parts.collect { part ->
 *     store(part.response.statistics, part.resumeToken?.text)
 * }
 * ```
 *
 * Store the token together with the values of its part, for example in one transaction. A run that resumes does not request these values
 * again: with the token alone, they would be missing.
 *
 * Requests are sent when you start to read, and again each time. Call options, including timeouts, apply to each part separately.
 */
public interface RangeCall<T> {
    /**
     * The parts, in order. The first failure ends the flow, unless failures are collected.
     *
     * When collection ends early, the calls in flight are aborted. A collector that is cancelled while it waits for a part throws a
     * [RangeCancelledException] with the remaining parts.
     */
    public val parts: Flow<RangePart<T>> get() = flow {
        open().use { parts -> while (true) emit(parts.next() ?: break) }
    }

    /** Returns a reader of the parts. */
    public fun open(): RangeParts<T> = unsupported("open")

    /**
     * Reads all parts and merges the responses, in the order of the parts. Items that the previous part also had are left out.
     *
     * @param onProgress called after each part, on the thread that runs the range call. It must return quickly. If it throws, the
     * range call ends and rethrows the exception.
     * @throws VitalwireException if a part fails. Its `resumeToken` has the parts that were not read; [partialResult] returns the parts
     * that were read.
     * @throws RangeCancelledException if the coroutine is cancelled. It also has a `resumeToken` and works with [partialResult].
     */
    public suspend fun collectAll(onProgress: (RangeProgress) -> Unit = {}): MergedRange<T>

    /** Returns what [collectAll] of this range call read before it threw this error; null if nothing was read. */
    public fun partialResult(error: Throwable): MergedRange<T>? = null
}
