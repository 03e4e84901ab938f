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

// Conversions between public and native values. Negative settings become 0, which the native library rejects if it is out of range.

internal fun Timestamp.toKotlin(): Instant = Instant.ofEpochSecond(seconds, nanoseconds.toLong())

internal fun Instant.toNative(): Timestamp = Timestamp(epochSecond, nano.toUInt())

internal fun CalendarDate.toKotlin(): LocalDate = LocalDate.of(year.toInt(), month.toInt(), day.toInt())

internal fun LocalDate.toNative(): CalendarDate {
    if (year !in -9999..9999) throw invalidArgument("the year of a date must be from -9999 to 9999")
    return CalendarDate(year.toShort(), monthValue.toByte(), dayOfMonth.toByte())
}

internal fun Duration.toNative(): ULong = inWholeMilliseconds.toNative()

internal fun Long.toNative(): ULong = coerceAtLeast(0).toULong()

internal fun Int.toNative(): UInt = coerceAtLeast(0).toUInt()

internal fun ULong.toKotlin(): Duration = coerceAtMost(Long.MAX_VALUE.toULong()).toLong().milliseconds

/**
 * Runs work that needs the native library, and converts its errors to [VitalwireException].
 *
 * @param thrown returns the exception of the token provider that caused an error, if any.
 */
internal inline fun <T> translateErrors(thrown: (ErrorInfo) -> Throwable? = { null }, work: () -> T): T =
    try {
        NativeLibrary.ensure()
        work()
    } catch (error: ApiException.Failed) {
        throw VitalwireException.of(error.info, thrown(error.info))
    } catch (error: ApiException.State) {
        throw StateException(StateException.Reason.of(error.reason), error.text)
    } catch (error: CharacterCodingException) {
        throw notUnicode(error)
    } catch (error: InternalException) {
        // The original message may contain health data.
        throw VitalwireException.of(ErrorKind.INTERNAL, "the native library failed")
    }

/** Checks a text that native code gets outside of [translateErrors], such as the result of a callback. */
internal fun requireUnicode(text: String) {
    if (!Charsets.UTF_8.newEncoder().canEncode(text)) throw notUnicode()
}

internal fun notUnicode(cause: Throwable? = null) = invalidArgument("a text must not contain an unpaired surrogate", cause)

/** Creates the exception for an argument that is rejected before a request is sent. */
internal fun invalidArgument(reason: String, cause: Throwable? = null): VitalwireException =
    VitalwireException.of(ErrorKind.INVALID_ARGUMENT, reason, cause)

/** Throws the exception for a call that a fake does not override. */
internal fun unsupported(call: String): Nothing = throw UnsupportedOperationException("the fake does not implement $call")
