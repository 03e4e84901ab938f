package dev.vitalwire

/** The response to one part of a range, or its failure. */
public class RangePart<T> internal constructor(
    /** Index among the parts of the whole range, from 0. */
    public val index: Int,
    /** The bounds of the part; null if the range is open. */
    public val range: RangeBounds?,
    /** Number of items that were left out because the previous part had them. */
    public val duplicates: Int,
    /** The response; null if the part failed. */
    public val responseOrNull: T?,
    /** The failure; null if the part has a response. Set with [RangeOptions.collectsFailures] only. */
    public val failure: VitalwireException?,
    /** Progress of the range call, including this part. */
    public val progress: RangeProgress,
    /** A token for the parts after this one; null after the last part. Store it with the part. */
    public val resumeToken: ResumeToken?,
) {
    /** The response. If the part failed, this property throws the failure. */
    public val response: T get() =
        responseOrNull ?: throw failure ?: VitalwireException.of(ErrorKind.INTERNAL, "the part has neither a response nor a failure")

    /** Returns a description without bounds and values. */
    override fun toString(): String = "RangePart(index $index, duplicates $duplicates)"

    public companion object {
        /** Creates a part for fakes: the part at [index] of [total]. */
        @JvmStatic
        public fun <T> of(index: Int, total: Int, response: T): RangePart<T> =
            RangePart(index, null, 0, response, null, RangeProgress(index + 1, total, index + 1L), null)
    }
}

/** Progress of a range call. Parts of an earlier run are not counted. */
public class RangeProgress internal constructor(
    /** Number of parts that are done, including failures that were collected. */
    public val done: Int,
    /** Number of parts of this run. */
    public val total: Int,
    /** Number of items so far. */
    public val items: Long,
) {
    /** Completed fraction from 0 to 1, for a progress bar. */
    public val fraction: Double get() = if (total == 0) 0.0 else done.toDouble() / total

    override fun equals(other: Any?): Boolean =
        other is RangeProgress && done == other.done && total == other.total && items == other.items

    override fun hashCode(): Int = 31 * done + total

    /** Returns a description with the number of parts that are done. */
    override fun toString(): String = "RangeProgress($done of $total)"
}
