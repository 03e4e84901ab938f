package dev.vitalwire

import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow

/**
 * A call over a range of time, made in parts. Collect the parts as they arrive, or read and merge all of them.
 *
 * ```kotlin
 * client.statistics.dailyInParts(first, last, types, PartLength.days(30)).parts.collect { part ->
 *     show(part.response.statistics, part.progress.fraction)
 *     savedState["left"] = part.resumeToken?.text
 * }
 * ```
 *
 * Nothing is requested before, and each time it is requested anew. Options of the call apply to each part by itself, timeouts included.
 */
public interface RangeCall<T> {
    /**
     * The parts in order; the first failure ends them, unless failures are collected.
     *
     * A collector that goes away ends what is on its way. One that is cancelled while it waits for a part ends with a
     * [RangeCancelledException], which has what was not handed out.
     */
    public val parts: Flow<RangePart<T>> get() = flow {
        open().use { parts -> while (true) emit(parts.next() ?: break) }
    }

    /** The parts, to be read one by one. */
    public fun open(): RangeParts<T> = unsupported("parts to read one by one")

    /**
     * Reads every part and merges the responses: items in the order of the parts, without items that the previous part had too.
     *
     * @param onProgress called after each part, on the thread that runs the range. It must return quickly. An exception in it ends the
     * range, which throws it.
     * @throws VitalwireException whose `resumeToken` has what was not read, and [soFar] what was.
     * @throws RangeCancelledException where the coroutine is cancelled, with both.
     */
    public suspend fun collectAll(onProgress: (RangeProgress) -> Unit = {}): MergedRange<T>

    /** Returns what was read before an error that [collectAll] of this range threw; null if nothing was. */
    public fun soFar(error: Throwable): MergedRange<T>? = null
}
