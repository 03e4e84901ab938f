package dev.vitalwire

import dev.vitalwire.ffi.CalendarDate
import dev.vitalwire.ffi.CancelToken
import dev.vitalwire.ffi.NativeClient
import dev.vitalwire.ffi.NativeRange
import dev.vitalwire.ffi.NightPart

/** A search that runs in the native library. */
internal class CoreNightSearch(
    private val calls: Calls,
    name: String,
    begin: (NativeClient, CancelToken) -> NativeRange,
) : NightSearch {
    private val range = CoreRange(calls, name, begin) { merged -> merged.nights().map { Night(it.days.toKotlin(), it.record.toKotlin()) } }

    /** Ranges of the table `sleeps`, by whether they have rows for missing days. */
    private val tables = listOf(false, true).associateWith { missingRows ->
        CoreRange(calls, name, { native, cancel -> begin(native, cancel).use { it.table("sleeps", missingRows) } }) { Table.of(it.table()) }
    }

    override fun open(): RangeReader<NightResult> = CoreReader(calls, range) { reading ->
        reading.night?.let { found(it, reading.progress.toKotlin(), token(reading.resumeToken)) }
    }

    override suspend fun collectAll(onProgress: (RangeProgress) -> Unit): MergedRange<List<Night>> = range.collectAll(onProgress)

    override suspend fun collectSleepsTable(missingRows: Boolean, onProgress: (RangeProgress) -> Unit): MergedRange<Table> =
        tables.getValue(missingRows).collectAll(onProgress)

    override fun partialResult(error: Throwable): MergedRange<List<Night>>? = range.partialResult(error)

    override fun partialSleepsTable(error: Throwable): MergedRange<Table>? = tables.values.firstNotNullOfOrNull { it.partialResult(error) }

    private fun found(native: NightPart, progress: RangeProgress, left: ResumeToken?): NightResult {
        val days = native.days.toKotlin()
        return NightResult(days, native.record?.let { Night(days, it.toKotlin()) }, native.failure?.let { range.error(it) }, progress, left)
    }

    private fun List<CalendarDate>.toKotlin() = map { it.toKotlin() }

    /** Returns the type name, without days. */
    override fun toString(): String = "NightSearch(..)"
}
