package dev.vitalwire

import dev.vitalwire.ffi.CalendarDate
import dev.vitalwire.ffi.Timestamp
import java.time.Instant
import java.time.LocalDate

// java.time stands in extensions only: it needs API level 26 on Android, the records do not.

/** The instant, exact to the nanosecond. */
fun Timestamp.toInstant(): Instant = Instant.ofEpochSecond(seconds, nanoseconds.toLong())

/** The instant as it crosses. */
fun Instant.toTimestamp(): Timestamp = Timestamp(epochSecond, nano.toUInt())

/** The date. */
fun CalendarDate.toLocalDate(): LocalDate = LocalDate.of(year.toInt(), month.toInt(), day.toInt())

/**
 * The date as it crosses.
 *
 * @throws IllegalArgumentException where the year has more than four digits.
 */
fun LocalDate.toCalendarDate(): CalendarDate {
    require(year in -9999..9999) { "the year has more than four digits" }
    return CalendarDate(year.toShort(), monthValue.toByte(), dayOfMonth.toByte())
}
