package dev.vitalwire

import java.time.Instant
import kotlin.time.Duration
import kotlin.time.toJavaDuration
import dev.vitalwire.ffi.Attempt as Crossed
import dev.vitalwire.ffi.AttemptListener as ForeignAttemptListener

/** One attempt of a call. It holds no value, no token and no id but the request's. */
public class Attempt internal constructor(native: Crossed) {
    /** The operation, as the service's specification calls it. */
    public val operation: String = native.operation

    /** `GET`, `POST` and their like. */
    public val httpMethod: String = native.httpMethod

    /** The path with its parameters' names. */
    public val pathTemplate: String = native.pathTemplate

    /** 1 for the first. */
    public val attempt: Int = native.attempt.toInt()

    /** The HTTP status, if the service responded. */
    public val status: Int? = native.status?.toInt()

    /** The kind of error; null for a success. */
    public val error: ErrorKind? = native.error?.let { ErrorKind.of(it.value.toInt()) }

    /** Start of the attempt. */
    public val startedAt: Instant = native.startedAt.shown()

    /** Duration of the attempt. */
    public val elapsed: Duration = native.elapsedMs.shown()

    /** Pause before the next attempt; null if this was the last. */
    public val nextDelay: Duration? = native.nextDelayMs?.shown()

    /** The id that the service gave this request, if it is shaped like an id. */
    public val requestId: String? = native.requestId

    private val text = native.text

    /** [elapsed] for Java. */
    @JvmName("getElapsed")
    public fun elapsedForJava(): java.time.Duration = elapsed.toJavaDuration()

    /** [nextDelay] for Java. */
    @JvmName("getNextDelay")
    public fun nextDelayForJava(): java.time.Duration? = nextDelay?.toJavaDuration()

    /** All of it but start and request id in a line, for a log. */
    override fun toString(): String = text
}

/** Is told of every attempt of a client's calls. */
public fun interface AttemptListener {
    /** An attempt has ended. */
    public fun attempted(attempt: Attempt)
}

/** A listener as the native side tells it. */
internal class CrossedAttemptListener(private val listener: AttemptListener) : ForeignAttemptListener {
    override fun attempted(attempt: Crossed): Unit = listener.attempted(Attempt(attempt))
}
