package dev.vitalwire

import dev.vitalwire.ffi.NativeClient
import dev.vitalwire.ffi.NativeParts
import dev.vitalwire.ffi.RangeReading
import java.util.concurrent.CancellationException

/** A reader of the parts or nights that the native library returns. */
internal class CoreReader<E : Any>(
    private val calls: Calls,
    private val range: CoreRange<*>,
    /** Converts a reading; returns null if it is empty. */
    private val convert: (RangeReading) -> E?,
) : RangeReader<E> {
    private var parts: NativeParts? = null
    private var closed = false

    /** Resume token that still contains a result that arrived during a cancellation and was therefore not returned. */
    private var leftBefore: ResumeToken? = null

    @Synchronized
    private fun native(client: NativeClient): NativeParts = parts ?: range.parts(client).also { native ->
        parts = native
        if (closed) native.closeParts()
    }

    override suspend fun next(): E? = withCaller(range.name) { read() }

    private suspend fun read(): E? {
        var before: ResumeToken? = null
        val outcome = runToEnd(::close) {
            calls.native { client ->
                val native = native(client)
                before = token(native.resumeToken())
                native.next()
            }
        }
        val reading = outcome.getOrThrow()
        outcome.cancelled?.let { throw cancelled(reading, before, it) }
        reading.failure?.let { throw range.error(it) }
        return convert(reading)
    }

    private fun cancelled(reading: RangeReading, before: ResumeToken?, cause: CancellationException): RangeCancelledException {
        val hadResult = reading.part != null || reading.night != null
        if (hadResult) synchronized(this) { leftBefore = before }
        return RangeCancelledException(if (hadResult) before else token(reading.resumeToken), null, cause)
    }

    override val progress: RangeProgress? get() = synchronized(this) { parts }?.progress()?.toKotlin()

    override val resumeToken: ResumeToken? get() = synchronized(this) { leftBefore } ?: token(synchronized(this) { parts }?.resumeToken())

    override fun close() {
        val native = synchronized(this) {
            closed = true
            parts
        }
        native?.closeParts()
    }
}
