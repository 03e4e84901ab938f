package dev.vitalwire

import dev.vitalwire.ffi.ResponseMetadata
import kotlin.coroutines.AbstractCoroutineContextElement
import kotlin.coroutines.Continuation
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.jvm.internal.CoroutineStackFrame
import kotlin.time.Duration
import kotlin.time.toJavaDuration

/** The value of a call and its response metadata. */
public class Response<out T> internal constructor(
    /** Return value of the call. */
    public val value: T,
    meta: ResponseMetadata,
) {
    /** HTTP status. */
    public val status: Int = meta.status.toInt()

    /** Request id of the response, to quote to the service's support. */
    public val requestId: String? = meta.requestId

    /** Number of attempts, including failed ones. */
    public val attempts: Int = meta.attempts.toInt()

    /** Duration of the call, including all attempts and the delays between them. */
    public val elapsed: Duration = meta.elapsedMs.toKotlin()

    /** Raw response body; null unless the call sets `keepBody`. The body may contain health data. */
    public val body: ByteArray? = meta.body

    /**
     * The first 100 list items that could not be decoded and were left out of the value, in the order of the body.
     *
     * With `strictLists` such an item is a decode error instead.
     */
    public val skippedItems: List<SkippedItem> = meta.skippedItems.map { SkippedItem(it.jsonPath, it.reason, it.json) }

    /** Number of all list items that were left out. May exceed the number of [skippedItems]. */
    public val skippedCount: Long = meta.skippedCount.toLong()

    /** Returns [elapsed] for Java. */
    @JvmName("getElapsed")
    public fun elapsedForJava(): java.time.Duration = elapsed.toJavaDuration()

    /** Returns a description with the status and the number of attempts, but without values. */
    override fun toString(): String = "Response(status $status, attempts $attempts)"
}

/** A list item that could not be decoded and was left out of its list. The other items are kept. */
public class SkippedItem internal constructor(
    /** Position of the item in the body, such as `stages[0]`, `[1]` or `sections[0].results[2]`. Undeclared names appear as `*`. */
    public val jsonPath: String,
    /**
     * The rule that the item breaks, such as `expected an object`. If a field of the item is invalid, the field's position follows, as in
     * `expected a string, at status`. Contains no value.
     */
    public val reason: String,
    /** The item as JSON text, unchanged. Contains health data. */
    public val json: String,
) {
    /** Returns a description with the position and the reason. */
    override fun toString(): String = "SkippedItem($jsonPath: $reason)"
}

/** Continues [outer], with a slot for the metadata in the context. Passes on its frames, which exceptions need. */
internal class ResponseContinuation<T>(private val outer: Continuation<T>, slot: LastResponse) : Continuation<T>, CoroutineStackFrame {
    override val context: CoroutineContext = outer.context + slot

    override val callerFrame: CoroutineStackFrame? get() = outer as? CoroutineStackFrame

    override fun getStackTraceElement(): StackTraceElement? = null

    override fun resumeWith(result: Result<T>): Unit = outer.resumeWith(result)
}

/** A coroutine context element with the metadata of the last response. Child coroutines share it. */
internal class LastResponse : AbstractCoroutineContextElement(LastResponse) {
    @Volatile
    var metadata: ResponseMetadata? = null

    fun <T> response(value: T): Response<T> =
        Response(value, metadata ?: throw VitalwireException.of(ErrorKind.INVALID_ARGUMENT, "the block must make a call"))

    companion object : CoroutineContext.Key<LastResponse>
}
