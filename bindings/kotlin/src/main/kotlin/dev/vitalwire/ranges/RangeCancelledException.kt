package dev.vitalwire

import java.util.concurrent.CancellationException

/**
 * A cancelled coroutine read a range: [resumeToken] has what is left of it. Coroutines treat it as any cancellation, so it ends the
 * coroutine in silence unless it is caught.
 */
public class RangeCancelledException internal constructor(
    /** A token for what was not handed out; null where nothing is left or nothing began. */
    public val resumeToken: ResumeToken?,
    /** What was read of it before. */
    internal val soFar: MergedRange<*>?,
    cause: CancellationException,
) : CancellationException("${ErrorKind.CANCELLED}: the range was cancelled") {
    init {
        initCause(cause)
    }
}
