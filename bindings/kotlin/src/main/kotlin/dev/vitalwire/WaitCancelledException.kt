package dev.vitalwire

import java.util.concurrent.CancellationException

/**
 * A cancelled coroutine waited for an analysis: [recordId] and [lastRecord] say what was known by then. Coroutines treat it as any
 * cancellation, so it ends the coroutine in silence unless it is caught.
 */
public class WaitCancelledException internal constructor(
    /** The id of the record that was uploaded: it can be waited for again. */
    public val recordId: String?,
    /** The record as it was read last; where the wait ended well in the moment it was cancelled, at the end. */
    public val lastRecord: AwaitableRecord?,
    /** How the wait ended; null where it ended well in the moment it was cancelled. */
    public val failure: VitalwireException?,
    cause: CancellationException,
) : CancellationException(failure?.message ?: "${ErrorKind.CANCELLED}: the wait was cancelled as it ended") {
    init {
        initCause(cause)
    }
}
