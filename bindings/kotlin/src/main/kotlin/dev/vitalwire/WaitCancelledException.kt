package dev.vitalwire

import java.util.concurrent.CancellationException

/**
 * Thrown if a coroutine is cancelled while it waits for an analysis. [recordId] and [lastRecord] have the last known state.
 *
 * Like any cancellation, this exception ends the coroutine silently unless you catch it.
 */
public class WaitCancelledException internal constructor(
    /** Id of the uploaded record, with which you can wait again. */
    public val recordId: String?,
    /** The record as of the last poll. If the wait succeeded at the moment of its cancellation, this is the final record. */
    public val lastRecord: AwaitableRecord?,
    /** The failure that ended the wait; null if the wait succeeded at the moment of its cancellation. */
    public val failure: VitalwireException?,
    cause: CancellationException,
) : CancellationException(failure?.message ?: "${ErrorKind.CANCELLED}: the wait was cancelled as it ended") {
    init {
        initCause(cause)
    }
}
