package dev.vitalwire

import java.time.Instant
import java.time.LocalDate

/** The bounds of a range or of a part. */
public abstract class RangeBounds private constructor() {
    /** Bounds in calendar days. Both bounds are part of the range. */
    public class Days internal constructor(
        /** The first day. */
        public val first: LocalDate,
        /** The last day. */
        public val last: LocalDate,
    ) : RangeBounds() {
        override fun equals(other: Any?): Boolean = other is Days && first == other.first && last == other.last

        override fun hashCode(): Int = 31 * first.hashCode() + last.hashCode()
    }

    /** Bounds in instants. */
    public class Time internal constructor(
        /** The first instant. */
        public val start: Instant,
        /** The first instant after the range. */
        public val end: Instant,
    ) : RangeBounds() {
        override fun equals(other: Any?): Boolean = other is Time && start == other.start && end == other.end

        override fun hashCode(): Int = 31 * start.hashCode() + end.hashCode()
    }

    /** Returns a description without bounds. */
    final override fun toString(): String = "RangeBounds(..)"
}
