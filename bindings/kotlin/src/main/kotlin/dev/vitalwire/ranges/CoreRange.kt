package dev.vitalwire

import dev.vitalwire.ffi.CancelToken
import dev.vitalwire.ffi.NativeClient
import dev.vitalwire.ffi.NativeMerged
import dev.vitalwire.ffi.NativeParts
import dev.vitalwire.ffi.NativeRange
import dev.vitalwire.ffi.RangeObserver
import dev.vitalwire.ffi.RangeBounds as NativeRangeBounds
import dev.vitalwire.ffi.RangeFailure as NativeRangeFailure
import dev.vitalwire.ffi.RangeProgress as NativeRangeProgress

/** A range call or a search that runs in the native library. */
internal class CoreRange<T>(
    private val calls: Calls,
    /** Name of the call, such as `statistics.dailyInParts`. */
    val name: String,
    private val begin: (NativeClient, CancelToken) -> NativeRange,
    /** Converts the merged response. */
    private val convert: (NativeMerged) -> T,
) {
    /** Returns the parts. The first request is sent when one is read. */
    fun parts(native: NativeClient): NativeParts = begin(native, CancelToken()).use { it.parts() }

    suspend fun collectAll(onProgress: (RangeProgress) -> Unit): MergedRange<T> = withCaller(name) { readAll(onProgress) }

    private suspend fun readAll(onProgress: (RangeProgress) -> Unit): MergedRange<T> {
        val cancel = calls.native { CancelToken() }
        val observer = ProgressObserver(onProgress, cancel)
        val outcome = runToEnd(cancel::cancel) {
            calls.native { native ->
                val end = begin(native, cancel).use { it.collect(observer) }
                end.merged?.let(::merged) to end.failure
            }
        }
        cancel.close()
        observer.raised?.let { throw it }
        val (merged, failure) = outcome.getOrThrow()
        outcome.cancelled?.let { throw RangeCancelledException(token(failure?.resume) ?: merged?.resumeToken, merged, it) }
        if (failure != null) throw error(failure, merged)
        return merged ?: throw VitalwireException.of(ErrorKind.INTERNAL, "the range call has neither a response nor a failure")
    }

    fun partialResult(error: Throwable): MergedRange<T>? {
        val merged = when (error) {
            is VitalwireException -> error.partialResult
            is RangeCancelledException -> error.partialResult
            else -> null
        }
        // This range call has read the parts, so the cast is safe.
        @Suppress("UNCHECKED_CAST")
        return merged?.takeIf { it.isOf(this) } as MergedRange<T>?
    }

    fun merged(native: NativeMerged): MergedRange<T> = MergedRange(
        convert(native),
        native.parts().map(::MergedPart),
        native.failures().mapNotNull { part -> part.failure?.let { FailedPart(part.index.toInt(), error(it)) } },
        native.duplicates().toInt(),
        native.skippedItems().map { SkippedItem(it.jsonPath, it.reason, it.json) },
        native.skippedCount().toLong(),
        token(native.resumeToken()),
        MergedRange.Core(native, this),
    )

    fun error(failure: NativeRangeFailure, partialResult: MergedRange<T>? = null): VitalwireException =
        VitalwireException.of(failure.error, calls.cause(failure.error), token(failure.resume), partialResult)
}

/** Passes progress to a callback. The first exception of the callback cancels the range call and is rethrown when the call has ended. */
private class ProgressObserver(private val callback: (RangeProgress) -> Unit, private val cancel: CancelToken) : RangeObserver {
    @Volatile
    var raised: Throwable? = null
        private set

    override fun progressed(progress: NativeRangeProgress) {
        if (raised != null) return
        try {
            callback(progress.toKotlin())
        } catch (error: Throwable) {
            raised = error
            cancel.cancel()
        }
    }
}

internal fun token(text: String?): ResumeToken? = text?.let(ResumeToken::of)

internal fun NativeRangeProgress.toKotlin() = RangeProgress(done.toInt(), total.toInt(), items.toLong())

internal fun NativeRangeBounds.toKotlin(): RangeBounds = when (this) {
    is NativeRangeBounds.Dates -> RangeBounds.Days(first.toKotlin(), last.toKotlin())
    is NativeRangeBounds.Instants -> RangeBounds.Time(start.toKotlin(), end.toKotlin())
}
