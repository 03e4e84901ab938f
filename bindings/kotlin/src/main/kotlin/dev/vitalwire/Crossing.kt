package dev.vitalwire

import dev.vitalwire.ffi.ApiException
import dev.vitalwire.ffi.CalendarDate
import dev.vitalwire.ffi.ErrorInfo
import dev.vitalwire.ffi.InternalException
import dev.vitalwire.ffi.Timestamp
import java.nio.charset.CharacterCodingException
import java.time.Instant
import java.time.LocalDate
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds

// Values as they cross to the native library and back. Settings below 0 become 0, which the library refuses where it may not be.

internal fun Timestamp.shown(): Instant = Instant.ofEpochSecond(seconds, nanoseconds.toLong())

internal fun Instant.crossing(): Timestamp = Timestamp(epochSecond, nano.toUInt())

internal fun CalendarDate.shown(): LocalDate = LocalDate.of(year.toInt(), month.toInt(), day.toInt())

internal fun LocalDate.crossing(): CalendarDate {
    if (year !in -9999..9999) throw refused("the year of a date has more than four digits")
    return CalendarDate(year.toShort(), monthValue.toByte(), dayOfMonth.toByte())
}

internal fun Duration.crossing(): ULong = inWholeMilliseconds.crossing()

internal fun Long.crossing(): ULong = coerceAtLeast(0).toULong()

internal fun Int.crossing(): UInt = coerceAtLeast(0).toUInt()

internal fun ULong.shown(): Duration = coerceAtMost(Long.MAX_VALUE.toULong()).toLong().milliseconds

/**
 * Does what needs the native library, and turns its errors into those that applications see.
 *
 * @param thrown what a token provider threw that caused an error.
 */
internal inline fun <T> translated(thrown: (ErrorInfo) -> Throwable? = { null }, work: () -> T): T =
    try {
        NativeLibrary.ensure()
        work()
    } catch (error: ApiException.Failed) {
        throw VitalwireException.of(error.info, thrown(error.info))
    } catch (error: CharacterCodingException) {
        throw refused("a text holds half a surrogate pair", error)
    } catch (error: InternalException) {
        // Its text may hold anything.
        throw VitalwireException.of(ErrorKind.INTERNAL, "the native library failed")
    }

/** What is refused before anything is sent. */
internal fun refused(reason: String, cause: Throwable? = null): VitalwireException = VitalwireException.of(ErrorKind.INVALID_ARGUMENT, reason, cause)

/** What a fake does not have. */
internal fun unsupported(call: String): Nothing = throw UnsupportedOperationException("this fake has no $call")
