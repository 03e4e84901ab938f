package dev.vitalwire

import dev.vitalwire.ffi.NativeMerged
import dev.vitalwire.ffi.MergedPart as CrossedPart

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
    /** Number of list items that were left out. It may exceed the number of [skippedItems]. */
    public val skippedCount: Long,
    /** A token for the parts that are missing; null if nothing is missing. */
    public val resumeToken: ResumeToken?,
    private val core: Core<T>?,
) {
    /**
     * Merges this with what a later run of the same call read, in the order of the parts. A part that both have is taken from this one.
     *
     * @throws VitalwireException of kind `invalid_argument` where the other is of another call, or one of them was made by hand.
     */
    public fun joinedWith(later: MergedRange<T>): MergedRange<T> {
        val (one, other) = core to later.core
        if (one == null || other == null) throw refused("a range that was made by hand")
        return translated { one.read(one.native.join(other.native)) }
    }

    /** Whether it was read by this range. */
    internal fun isOf(range: CoreRange<*>): Boolean = core?.range === range

    /** Shows how much there is, no values. */
    override fun toString(): String = "MergedRange(parts ${parts.size}, duplicates $duplicates, failures ${failures.size})"

    /** What it was made of. */
    internal class Core<T>(val native: NativeMerged, val range: CoreRange<T>) {
        fun read(native: NativeMerged): MergedRange<T> = range.merged(native)
    }

    public companion object {
        /** A merged range made by hand, for fakes. */
        @JvmStatic
        public fun <T> of(response: T): MergedRange<T> = MergedRange(response, emptyList(), emptyList(), 0, emptyList(), 0, null, null)
    }
}

/** The indexes of one part's items in the merged response. */
public class MergedPart internal constructor(native: CrossedPart) {
    /** Index among the parts of the whole range, from 0. */
    public val index: Int = native.index.toInt()

    /** The bounds of the part; null if the range is open. */
    public val bounds: RangeBounds? = native.range?.shown()

    /** Index of its first item in the merged list. */
    public val start: Int = native.start.toInt()

    /** Index after its last. */
    public val end: Int = native.end.toInt()

    /** Shows no bounds. */
    override fun toString(): String = "MergedPart(index $index)"
}

/** A part that failed. */
public class FailedPart internal constructor(
    /** Index among the parts of the whole range, from 0. */
    public val index: Int,
    /** The error. */
    public val error: VitalwireException,
) {
    /** Shows which part it is. */
    override fun toString(): String = "FailedPart(index $index)"
}
