package dev.vitalwire

import java.time.Instant
import java.time.LocalDate

/** The two bounds of a range, or of a part of one. */
public abstract class RangeBounds private constructor() {
    /** Calendar days, both in the range. */
    public class Days internal constructor(
        /** The first day. */
        public val first: LocalDate,
        /** The last. */
        public val last: LocalDate,
    ) : RangeBounds() {
        override fun equals(other: Any?): Boolean = other is Days && first == other.first && last == other.last

        override fun hashCode(): Int = 31 * first.hashCode() + last.hashCode()
    }

    /** Instants. */
    public class Time internal constructor(
        /** The first instant. */
        public val start: Instant,
        /** The first instant after the range. */
        public val end: Instant,
    ) : RangeBounds() {
        override fun equals(other: Any?): Boolean = other is Time && start == other.start && end == other.end

        override fun hashCode(): Int = 31 * start.hashCode() + end.hashCode()
    }

    /** Shows no bounds. */
    final override fun toString(): String = "RangeBounds(..)"
}
