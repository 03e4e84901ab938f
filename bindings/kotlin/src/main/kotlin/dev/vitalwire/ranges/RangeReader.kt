package dev.vitalwire

/**
 * Reads what a range hands out, one by one and in order: its parts, or the nights of a search. One reading at a time has it: a second one
 * is refused with kind `configuration`.
 */
public interface RangeReader<E : Any> : AutoCloseable {
    /**
     * The next one; null after the last, after the error that ended the range, and after [close].
     *
     * @throws VitalwireException whose `resumeToken` has what was not handed out.
     * @throws RangeCancelledException where the coroutine is cancelled, with the same.
     */
    public suspend fun next(): E?

    /** How far the range is, as of the last one that was handed out; null before the first reading. */
    public val progress: RangeProgress?

    /** A token for all that has failed or was not handed out, at any time; null if nothing is left, and before the first reading. */
    public val resumeToken: ResumeToken?

    /** Ends what is on its way, a reading too. */
    override fun close()
}
