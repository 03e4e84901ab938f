package dev.vitalwire

import dev.vitalwire.ffi.CancelToken
import dev.vitalwire.ffi.NativeClient
import dev.vitalwire.ffi.NativeRange
import dev.vitalwire.ffi.OperationResponse
import dev.vitalwire.ffi.RangePart as NativeRangePart

/** A range call that runs in the native library. */
internal class CoreRangeCall<T>(
    private val calls: Calls,
    name: String,
    begin: (NativeClient, CancelToken) -> NativeRange,
    private val convert: (OperationResponse) -> T?,
) : RangeCall<T> {
    private val range = CoreRange(calls, name, begin) { toResponse(it.response()) }

    override fun open(): RangeParts<T> = CoreRangeParts(
        CoreReader(calls, range) { reading -> reading.part?.let { part(it, reading.progress.toKotlin(), token(reading.resumeToken)) } },
    )

    override suspend fun collectAll(onProgress: (RangeProgress) -> Unit): MergedRange<T> = range.collectAll(onProgress)

    override fun partialResult(error: Throwable): MergedRange<T>? = range.partialResult(error)

    private fun part(part: NativeRangePart, progress: RangeProgress, left: ResumeToken?) = RangePart(
        part.index.toInt(),
        part.range?.toKotlin(),
        part.duplicates.toInt(),
        part.response?.let(::toResponse),
        part.failure?.let { range.error(it) },
        progress,
        left,
    )

    private fun toResponse(native: OperationResponse): T =
        convert(native) ?: throw VitalwireException.of(ErrorKind.INTERNAL, "the response belongs to another operation")

    /** Returns the type name, without bounds. */
    override fun toString(): String = "RangeCall(..)"
}

private class CoreRangeParts<T>(reader: CoreReader<RangePart<T>>) : RangeParts<T>, RangeReader<RangePart<T>> by reader
