package dev.vitalwire

import java.util.concurrent.CancellationException

/**
 * Thrown if a coroutine is cancelled while it reads a range. [resumeToken] has the remaining parts.
 *
 * Like any cancellation, this exception ends the coroutine silently unless you catch it.
 */
public class RangeCancelledException internal constructor(
    /** A token for the remaining parts; null if there are none or the range call had not begun. */
    public val resumeToken: ResumeToken?,
    /** The parts that were read before the cancellation. */
    internal val partialResult: MergedRange<*>?,
    cause: CancellationException,
) : CancellationException("${ErrorKind.CANCELLED}: the range was cancelled") {
    init {
        initCause(cause)
    }
}
