package dev.vitalwire

import java.time.DateTimeException
import java.time.Instant
import java.time.LocalDate

/** Parses the forms of instants that the core parses. The file `tests/forms/instants.json` of the repository lists examples. */
internal object InstantParser {
    /** Parses an instant. A text without an offset is in UTC. Returns null for other texts, and outside of the years 1 to 9999. */
    fun parse(text: String): Instant? {
        val (day, hour, minute, second, decimals, sign, offsetHour, offsetMinute) = FORM.matchEntire(text)?.destructured ?: return null
        val (hours, minutes, seconds) = listOf(hour, minute, second).map(::number)
        val (offsetHours, offsetMinutes) = listOf(offsetHour, offsetMinute).map(::number)
        if (hours > 24 || minutes > 59 || seconds > 60 || offsetHours > 25 || offsetMinutes > 59) return null
        // 24:00 is the end of the day.
        if (hours == 24 && (minutes > 0 || seconds > 0 || decimals.any { it != '0' })) return null
        // A leap second becomes the second before it.
        val local = ((epochDay(day) ?: return null) * 24 + hours) * 3600 + minutes * 60 + seconds.coerceAtMost(59)
        val offset = offsetHours * 3600 + offsetMinutes * 60
        val unix = if (sign == "-") local + offset else local - offset
        return if (unix in EARLIEST..LATEST) Instant.ofEpochSecond(unix, decimals.take(9).padEnd(9, '0').toLong()) else null
    }

    /** Returns the number that the digits represent; 0 for an empty text. */
    private fun number(digits: String) = if (digits.isEmpty()) 0 else digits.toInt()

    private fun epochDay(date: String): Long? = try {
        LocalDate.parse(date).toEpochDay()
    } catch (_: DateTimeException) {
        null
    }

    // Not \d, which matches the digits of all scripts on Android.
    private val FORM = Regex(
        "([0-9]{4}-[0-9]{2}-[0-9]{2})[Tt ]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:[.,]([0-9]+))?)?" +
            "(?:[Zz]|([+-])([0-9]{2})(?::?([0-9]{2}))?)?",
    )

    /** The range of instants that the types of all languages can represent, in seconds from 1970. */
    private const val EARLIEST = -62_135_596_800
    private const val LATEST = 253_402_300_799
}
