package dev.vitalwire

import dev.vitalwire.ffi.CancelToken
import dev.vitalwire.ffi.NativeClient
import dev.vitalwire.ffi.NativeMerged
import dev.vitalwire.ffi.NativeParts
import dev.vitalwire.ffi.NativeRange
import dev.vitalwire.ffi.RangeObserver
import dev.vitalwire.ffi.RangeBounds as CrossedBounds
import dev.vitalwire.ffi.RangeFailure as CrossedFailure
import dev.vitalwire.ffi.RangeProgress as CrossedProgress

/** What the native library requests in parts, of whatever kind they are. */
internal class CoreRange<T>(
    private val calls: Calls,
    private val begin: (NativeClient, CancelToken) -> NativeRange,
    /** The merged answer. */
    private val whole: (NativeMerged) -> T,
) {
    /** The parts; nothing is requested before one is read. */
    fun parts(native: NativeClient): NativeParts = begin(native, CancelToken()).use { it.parts() }

    suspend fun collectAll(onProgress: (RangeProgress) -> Unit): MergedRange<T> {
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

    fun soFar(error: Throwable): MergedRange<T>? {
        val merged = when (error) {
            is VitalwireException -> error.soFar
            is RangeCancelledException -> error.soFar
            else -> null
        }
        // What this range read is of its type.
        @Suppress("UNCHECKED_CAST")
        return merged?.takeIf { it.isOf(this) } as MergedRange<T>?
    }

    fun merged(native: NativeMerged): MergedRange<T> = MergedRange(
        whole(native),
        native.parts().map(::MergedPart),
        native.failures().mapNotNull { part -> part.failure?.let { FailedPart(part.index.toInt(), error(it)) } },
        native.duplicates().toInt(),
        native.skippedItems().map { SkippedItem(it.jsonPath, it.reason, it.json) },
        native.skippedCount().toLong(),
        token(native.left()),
        MergedRange.Core(native, this),
    )

    fun error(failure: CrossedFailure, soFar: MergedRange<T>? = null): VitalwireException =
        VitalwireException.of(failure.error, calls.cause(failure.error), token(failure.resume), soFar)
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

internal fun token(text: String?): ResumeToken? = text?.let(ResumeToken::of)

internal fun CrossedProgress.shown() = RangeProgress(done.toInt(), total.toInt(), items.toLong())

internal fun CrossedBounds.shown(): RangeBounds = when (this) {
    is CrossedBounds.Dates -> RangeBounds.Days(first.shown(), last.shown())
    is CrossedBounds.Instants -> RangeBounds.Time(start.shown(), end.shown())
}
