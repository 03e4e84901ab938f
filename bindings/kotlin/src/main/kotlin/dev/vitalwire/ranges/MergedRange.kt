package dev.vitalwire

import dev.vitalwire.ffi.NativeMerged
import dev.vitalwire.ffi.MergedPart as NativeMergedPart
import java.util.concurrent.CompletableFuture

/** The merged responses to the parts of a range, and what is missing. */
public class MergedRange<T> internal constructor(
    /** The merged response. */
    public val response: T,
    /** The parts that were read, in order. */
    public val parts: List<MergedPart>,
    /** The parts that failed; empty unless failures are collected. */
    public val failures: List<FailedPart>,
    /** Number of items that were left out because the previous part had them. */
    public val duplicates: Int,
    /** The first 100 list items that could not be decoded and were left out, in the order of the parts. */
    public val skippedItems: List<SkippedItem>,
    /** Number of all list items that were left out. May exceed the number of [skippedItems]. */
    public val skippedCount: Long,
    /** A token for the parts that are missing; null if nothing is missing. */
    public val resumeToken: ResumeToken?,
    private val core: Core<T>?,
) {
    /**
     * Merges this range with a later run of the same call, in the order of the parts. A part that both have is taken from this range. Runs
     * on another thread.
     *
     * @throws VitalwireException of kind `invalid_argument` if [later] belongs to another call, or if a range was created for a fake.
     */
    @JvmSynthetic
    public suspend fun merge(later: MergedRange<T>): MergedRange<T> = runInBackground {
        val (one, other) = core to later.core
        if (one == null || other == null) {
            throw invalidArgument("a range that was created for a fake cannot be merged; merge ranges that a client read")
        }
        translateErrors { one.read(one.native.merge(other.native)) }
    }

    /** Merges this range with a later run of the same call, for Java. */
    @JvmName("merge")
    public fun mergeForJava(later: MergedRange<T>): CompletableFuture<MergedRange<T>> = startForJava { merge(later) }

    /** Whether the call of [range] made this result. */
    internal fun isOf(range: CoreRange<*>): Boolean = core?.range === range

    /** Returns a description with counts, but without values. */
    override fun toString(): String = "MergedRange(parts ${parts.size}, duplicates $duplicates, failures ${failures.size})"

    /** The native merged range, and the range call that made it. */
    internal class Core<T>(val native: NativeMerged, val range: CoreRange<T>) {
        fun read(native: NativeMerged): MergedRange<T> = range.merged(native)
    }

    public companion object {
        /** Creates a merged range without parts, for fakes. */
        @JvmStatic
        public fun <T> of(response: T): MergedRange<T> = MergedRange(response, emptyList(), emptyList(), 0, emptyList(), 0, null, null)
    }
}

/** The indexes of one part's items in the merged response. */
public class MergedPart internal constructor(native: NativeMergedPart) {
    /** Index among the parts of the whole range, from 0. */
    public val index: Int = native.index.toInt()

    /** The bounds of the part; null if the range is open. */
    public val range: RangeBounds? = native.range?.toKotlin()

    /** Index of the part's first item in the merged list. */
    public val start: Int = native.start.toInt()

    /** Index after the part's last item. */
    public val end: Int = native.end.toInt()

    /** Returns a description without bounds. */
    override fun toString(): String = "MergedPart(index $index)"
}

/** A part that failed, and its error. */
public class FailedPart internal constructor(
    /** Index among the parts of the whole range, from 0. */
    public val index: Int,
    /** The error of the part. */
    public val error: VitalwireException,
) {
    /** Returns a description with the index. */
    override fun toString(): String = "FailedPart(index $index)"
}
