package dev.vitalwire

/**
 * The parts of a range, read one by one, in order. One reading at a time has them: a second one is refused with kind `configuration`.
 *
 * [RangeCall.parts] does the same for a collector.
 */
public interface RangeParts<T> : AutoCloseable {
    /**
     * The next part; null after the last, after the error that ended the range, and after [close].
     *
     * @throws VitalwireException whose `resumeToken` has what was not handed out.
     * @throws RangeCancelledException where the coroutine is cancelled, with the same.
     */
    public suspend fun next(): RangePart<T>?

    /** How far the range is, as of the last part that was handed out; null before the first reading. */
    public val progress: RangeProgress?

    /** A token for all parts that have failed or were not handed out, at any time; null if nothing is left, and before the first reading. */
    public val resumeToken: ResumeToken?

    /** Ends what is on its way, a reading too. */
    override fun close()
}
