package dev.vitalwire

/**
 * Reads the parts of a range, or the nights of a search, one by one and in order.
 *
 * Call [next] from one coroutine at a time. A concurrent call fails with kind `configuration`.
 */
public interface RangeReader<E : Any> : AutoCloseable {
    /**
     * Reads the next part or night. Returns null after the last, after the error that ended the range, and after [close].
     *
     * @throws VitalwireException if a call fails. Its `resumeToken` has the parts that were not returned.
     * @throws RangeCancelledException if the coroutine is cancelled. Its `resumeToken` has the same parts.
     */
    public suspend fun next(): E?

    /** Progress as of the last part or night that was returned; null before the first. */
    public val progress: RangeProgress?

    /** A token for the parts that failed or were not returned yet; null before the first reading and if no parts remain. */
    public val resumeToken: ResumeToken?

    /** Aborts the calls in flight, including a pending [next]. */
    override fun close()
}
