package dev.vitalwire

import java.util.concurrent.CancellationException

/**
 * Thrown if a coroutine is cancelled while it waits for an analysis. [recordId] and [lastRecord] have the last known state.
 *
 * Like any cancellation, it ends the coroutine silently unless it is caught.
 */
public class WaitCancelledException internal constructor(
    /** Id of the uploaded record. Use it to wait again. */
    public val recordId: String?,
    /** The record as of the last poll. It is the final record if the wait succeeded just as it was cancelled. */
    public val lastRecord: AwaitableRecord?,
    /** The failure that ended the wait; null if the wait succeeded just as it was cancelled. */
    public val failure: VitalwireException?,
    cause: CancellationException,
) : CancellationException(failure?.message ?: "${ErrorKind.CANCELLED}: the wait was cancelled as it ended") {
    init {
        initCause(cause)
    }
}
