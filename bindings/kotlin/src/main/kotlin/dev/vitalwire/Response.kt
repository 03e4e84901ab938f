package dev.vitalwire

import dev.vitalwire.ffi.ResponseMeta
import kotlin.coroutines.AbstractCoroutineContextElement
import kotlin.coroutines.CoroutineContext
import kotlin.time.Duration
import kotlin.time.toJavaDuration

/** A call's value, and what is known of its answer besides. */
public class Response<out T> internal constructor(
    /** The value. */
    public val value: T,
    meta: ResponseMeta,
) {
    /** The HTTP status. */
    public val status: Int = meta.status.toInt()

    /** The id that the service gave the request, for a question to its support. */
    public val requestId: String? = meta.requestId

    /** How many times the request was sent or tried. */
    public val attempts: Int = meta.attempts.toInt()

    /** How long the call took, attempts and the waits between them. */
    public val elapsed: Duration = meta.elapsedMs.shown()

    /** The body as it came, of a call with `keepRaw`. It may hold health data. */
    public val body: ByteArray? = meta.body

    /** [elapsed] for Java. */
    @JvmName("getElapsed")
    public fun elapsedForJava(): java.time.Duration = elapsed.toJavaDuration()

    /** Shows status and attempts, no values. */
    override fun toString(): String = "Response(status $status, attempts $attempts)"
}

/** Facts of the last answer within a coroutine and those that it starts. */
internal class Facts : AbstractCoroutineContextElement(Facts) {
    @Volatile
    var last: ResponseMeta? = null

    fun <T> response(value: T): Response<T> =
        Response(value, last ?: throw VitalwireException.of(ErrorKind.INVALID_ARGUMENT, "no call was made"))

    companion object : CoroutineContext.Key<Facts>
}
