package dev.vitalwire

import java.time.LocalDate

/** A sleep that was found by its days. */
public class Night internal constructor(
    /** The days whose sleep it is part of, the first one first; empty if the service's statistics do not state the day. */
    public val days: List<LocalDate>,
    /** The record. */
    public val record: SleepRecord,
) {
    override fun equals(other: Any?): Boolean = other is Night && days == other.days && record == other.record

    override fun hashCode(): Int = 31 * days.hashCode() + record.hashCode()

    /** Shows no days and no values. */
    override fun toString(): String = "Night(..)"

    public companion object {
        /** A night made by hand, for fakes. */
        @JvmStatic
        public fun of(days: List<LocalDate>, record: SleepRecord): Night = Night(days.toList(), record)
    }
}
