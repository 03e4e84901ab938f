package dev.vitalwire

import dev.vitalwire.ffi.CancelToken
import dev.vitalwire.ffi.NativeClient
import dev.vitalwire.ffi.NativeMerged
import dev.vitalwire.ffi.NativeParts
import dev.vitalwire.ffi.NativeRange
import dev.vitalwire.ffi.RangeAnswer
import dev.vitalwire.ffi.RangeObserver
import dev.vitalwire.ffi.RangeReading
import java.util.concurrent.CancellationException
import dev.vitalwire.ffi.RangeBounds as CrossedBounds
import dev.vitalwire.ffi.RangeFailure as CrossedFailure
import dev.vitalwire.ffi.RangeProgress as CrossedProgress

/** A range that the native library requests. */
internal class CoreRangeCall<T>(
    private val calls: Calls,
    private val begin: (NativeClient, CancelToken) -> NativeRange,
    private val made: (RangeAnswer) -> T?,
) : RangeCall<T> {
    override fun open(): RangeParts<T> = CoreRangeParts(calls, this)

    /** The parts; nothing is requested before one is read. */
    fun parts(native: NativeClient): NativeParts = begin(native, CancelToken()).use { it.parts() }

    override suspend fun collectAll(onProgress: (RangeProgress) -> Unit): MergedRange<T> {
        val cancel = calls.native { CancelToken() }
        val watcher = Watcher(onProgress, cancel)
        val outcome = outlived(cancel::cancel) {
            calls.native { native ->
                val end = begin(native, cancel).use { it.collect(watcher) }
                end.merged?.let(::merged) to end.failure
            }
        }
        cancel.close()
        watcher.raised?.let { throw it }
        val (merged, failure) = outcome.given()
        outcome.cancelled?.let { throw RangeCancelledException(token(failure?.resume) ?: merged?.resumeToken, merged, it) }
        if (failure != null) throw error(failure, merged)
        return merged ?: throw VitalwireException.of(ErrorKind.INTERNAL, "a range without an answer")
    }

    override fun soFar(error: Throwable): MergedRange<T>? {
        val merged = when (error) {
            is VitalwireException -> error.soFar
            is RangeCancelledException -> error.soFar
            else -> null
        }
        // What this call read is of its type.
        @Suppress("UNCHECKED_CAST")
        return merged?.takeIf { it.isOf(this) } as MergedRange<T>?
    }

    fun merged(native: NativeMerged): MergedRange<T> = MergedRange(
        answer(native.answer()),
        native.parts().map(::MergedPart),
        native.failures().mapNotNull { part -> part.failure?.let { FailedPart(part.index.toInt(), error(it)) } },
        native.duplicates().toInt(),
        token(native.left()),
        MergedRange.Core(native, this),
    )

    fun answer(native: RangeAnswer): T = made(native) ?: throw VitalwireException.of(ErrorKind.INTERNAL, "an answer of another operation")

    fun error(failure: CrossedFailure, soFar: MergedRange<T>? = null): VitalwireException =
        VitalwireException.of(failure.error, calls.cause(failure.error), token(failure.resume), soFar)

    /** Shows the type, no bounds. */
    override fun toString(): String = "RangeCall(..)"
}

private class CoreRangeParts<T>(private val calls: Calls, private val call: CoreRangeCall<T>) : RangeParts<T> {
    private var made: NativeParts? = null
    private var closed = false

    /** What was left before a part that came as its reader was cancelled. */
    private var leftBefore: ResumeToken? = null

    @Synchronized
    private fun native(client: NativeClient): NativeParts = made ?: call.parts(client).also { native ->
        made = native
        if (closed) native.closeParts()
    }

    override suspend fun next(): RangePart<T>? {
        var before: ResumeToken? = null
        val outcome = outlived(::close) {
            calls.native { client ->
                val native = native(client)
                before = token(native.left())
                native.next()
            }
        }
        val reading = outcome.given()
        outcome.cancelled?.let { throw cancelled(reading, before, it) }
        reading.failure?.let { throw call.error(it) }
        return part(reading)
    }

    private fun cancelled(reading: RangeReading, before: ResumeToken?, cause: CancellationException): RangeCancelledException {
        if (reading.part != null) synchronized(this) { leftBefore = before }
        return RangeCancelledException(if (reading.part != null) before else token(reading.left), null, cause)
    }

    private fun part(reading: RangeReading): RangePart<T>? = reading.part?.let { part ->
        RangePart(
            part.index.toInt(),
            part.range?.shown(),
            part.duplicates.toInt(),
            part.answer?.let(call::answer),
            part.failure?.let { call.error(it) },
            reading.progress.shown(),
            token(reading.left),
        )
    }

    override val progress: RangeProgress? get() = synchronized(this) { made }?.progress()?.shown()

    override val resumeToken: ResumeToken? get() = synchronized(this) { leftBefore } ?: token(synchronized(this) { made }?.left())

    override fun close() {
        val native = synchronized(this) {
            closed = true
            made
        }
        native?.closeParts()
    }
}

/** A lambda as the native side calls it. What it throws ends the range, and is thrown at its end. */
private class Watcher(private val told: (RangeProgress) -> Unit, private val cancel: CancelToken) : RangeObserver {
    @Volatile
    var raised: Throwable? = null
        private set

    override fun progressed(progress: CrossedProgress) {
        if (raised != null) return
        try {
            told(progress.shown())
        } catch (error: Throwable) {
            raised = error
            cancel.cancel()
        }
    }
}

private fun token(text: String?): ResumeToken? = text?.let(ResumeToken::of)

private fun CrossedProgress.shown() = RangeProgress(done.toInt(), total.toInt(), items.toLong())

internal fun CrossedBounds.shown(): RangeBounds = when (this) {
    is CrossedBounds.Dates -> RangeBounds.Days(first.shown(), last.shown())
    is CrossedBounds.Instants -> RangeBounds.Time(start.shown(), end.shown())
}
