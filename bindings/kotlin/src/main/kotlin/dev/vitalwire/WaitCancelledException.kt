package dev.vitalwire

import java.util.concurrent.CancellationException
import kotlinx.coroutines.TimeoutCancellationException

/**
 * Thrown if a coroutine is cancelled while it waits for an analysis. [recordId] and [lastRecord] have the last known state.
 *
 * Like any cancellation, this exception ends the coroutine silently unless you catch it. Around a wait, `withTimeout` throws its own
 * exception, in which [find] finds this one. Instead, you can set [WaitOptions.timeout]: its exception has the id.
 */
public class WaitCancelledException internal constructor(
    /** Id of the record, with which you can wait again. */
    public val recordId: String?,
    /** The record as of the last poll. If the wait succeeded at the moment of its cancellation, this is the final record. */
    public val lastRecord: AwaitableRecord?,
    /** The failure that ended the wait; null if the wait succeeded at the moment of its cancellation. */
    public val failure: VitalwireException?,
    cause: CancellationException,
) : CancellationException(failure?.message ?: "${ErrorKind.CANCELLED}: the wait was cancelled as it ended") {
    init {
        initCause(cause)
        generateSequence<Throwable>(cause) { it.cause }.filterIsInstance<TimeoutCancellationException>().forEach { it.addSuppressed(this) }
    }

    public companion object {
        /** Returns the exception of the wait that a cancellation ended: [error] itself, or one in the exception of `withTimeout`. */
        @JvmStatic
        public fun find(error: Throwable): WaitCancelledException? =
            generateSequence(error) { it.cause }.flatMap { sequenceOf(it) + it.suppressed }
                .filterIsInstance<WaitCancelledException>().firstOrNull()
    }
}
