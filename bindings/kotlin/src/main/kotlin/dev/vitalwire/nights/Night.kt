package dev.vitalwire

import java.time.LocalDate

/** A sleep with its days, as found by a search. */
public class Night internal constructor(
    /** The days that the sleep belongs to, in order; empty if the service's statistics do not state the day. */
    public val days: List<LocalDate>,
    /** The sleep record. */
    public val record: SleepRecord,
) {
    override fun equals(other: Any?): Boolean = other is Night && days == other.days && record == other.record

    override fun hashCode(): Int = 31 * days.hashCode() + record.hashCode()

    /** Returns a description without days and values. */
    override fun toString(): String = "Night(..)"

    public companion object {
        /** Creates a night, for fakes. */
        @JvmStatic
        public fun of(days: List<LocalDate>, record: SleepRecord): Night = Night(days.toList(), record)
    }
}
