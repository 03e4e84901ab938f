package dev.vitalwire

import java.time.Instant
import kotlin.time.Duration
import kotlin.time.toJavaDuration
import dev.vitalwire.ffi.Attempt as NativeAttempt
import dev.vitalwire.ffi.AttemptListener as ForeignAttemptListener

/** An attempt of a call, for logs and metrics. Contains no health data, no token and no id except the request id. */
public class Attempt internal constructor(native: NativeAttempt) {
    /** Id of the operation in the service's specification, such as `get_sleep`. */
    public val operation: String = native.operation

    /** HTTP method, such as `GET`. */
    public val httpMethod: String = native.httpMethod

    /** Path of the operation with the names of its parameters, not their values. */
    public val pathTemplate: String = native.pathTemplate

    /** Number of the attempt, from 1. */
    public val attempt: Int = native.attempt.toInt()

    /** HTTP status; null if no response arrived. */
    public val status: Int? = native.status?.toInt()

    /** Kind of the error; null after a success. */
    public val error: ErrorKind? = native.error?.let { ErrorKind.of(it.value.toInt()) }

    /** Start of the attempt. */
    public val startedAt: Instant = native.startedAt.toKotlin()

    /** Duration of the attempt. */
    public val elapsed: Duration = native.elapsedMs.toKotlin()

    /** Delay before the next attempt; null after the last attempt. */
    public val nextDelay: Duration? = native.nextDelayMs?.toKotlin()

    /** Request id of the response; null if the response has none, or if the header does not look like an id. */
    public val requestId: String? = native.requestId

    private val text = native.text

    /** Returns [elapsed] for Java. */
    @JvmName("getElapsed")
    public fun elapsedForJava(): java.time.Duration = elapsed.toJavaDuration()

    /** Returns [nextDelay] for Java. */
    @JvmName("getNextDelay")
    public fun nextDelayForJava(): java.time.Duration? = nextDelay?.toJavaDuration()

    /** Formats the attempt as a log line, without the start and the request id. */
    override fun toString(): String = text
}

/**
 * Callback for the attempts of a client's calls.
 *
 * The callback runs on the thread that runs the call, so it must be thread-safe and return quickly. Exceptions in the callback are dropped.
 */
public fun interface AttemptListener {
    /** Called after each attempt. */
    public fun attempted(attempt: Attempt)
}

/** Passes native attempts to a listener. */
internal class AttemptListenerAdapter(private val listener: AttemptListener) : ForeignAttemptListener {
    override fun attempted(attempt: NativeAttempt) {
        try {
            listener.attempted(Attempt(attempt))
        } catch (_: Throwable) {
            // Native code would get the text of the exception, which may contain health data or an unpaired surrogate.
        }
    }
}
