package dev.vitalwire

import dev.vitalwire.ffi.ResponseMetadata
import kotlin.coroutines.AbstractCoroutineContextElement
import kotlin.coroutines.CoroutineContext
import kotlin.time.Duration
import kotlin.time.toJavaDuration

/** A call's value, and what is known of its answer besides. */
public class Response<out T> internal constructor(
    /** The value. */
    public val value: T,
    meta: ResponseMetadata,
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

    /**
     * The first 100 list items that could not be decoded and were left out of the value, in the order of the body. With `strictLists` such an
     * item is a decode error instead.
     */
    public val skippedItems: List<SkippedItem> = meta.skippedItems.map { SkippedItem(it.jsonPath, it.reason, it.json) }

    /** Number of list items that were left out. It may exceed the number of [skippedItems]. */
    public val skippedCount: Long = meta.skippedCount.toLong()

    /** [elapsed] for Java. */
    @JvmName("getElapsed")
    public fun elapsedForJava(): java.time.Duration = elapsed.toJavaDuration()

    /** Shows status and attempts, no values. */
    override fun toString(): String = "Response(status $status, attempts $attempts)"
}

/** A list item that could not be decoded and was left out of its list; its neighbours stay. */
public class SkippedItem internal constructor(
    /** The place of the item in the body, such as `stages[0]`, `[1]` or `sections[0].results[2]`. An undeclared name is `*`. */
    public val jsonPath: String,
    /**
     * The rule that the item breaks, such as `expected an object`. If the fault is inside the item, the place in it follows:
     * `expected a string, at status`. It contains no value.
     */
    public val reason: String,
    /** The item as JSON text, as it came. Health data. */
    public val json: String,
) {
    /** Shows place and reason. */
    override fun toString(): String = "SkippedItem($jsonPath: $reason)"
}

/** Facts of the last answer within a coroutine and those that it starts. */
internal class Facts : AbstractCoroutineContextElement(Facts) {
    @Volatile
    var last: ResponseMetadata? = null

    fun <T> response(value: T): Response<T> =
        Response(value, last ?: throw VitalwireException.of(ErrorKind.INVALID_ARGUMENT, "no call was made"))

    companion object : CoroutineContext.Key<Facts>
}
