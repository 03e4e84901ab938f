package dev.vitalwire

import java.time.LocalDate

/** A night that a search handed out, or days that could not be read. */
public class FoundNight internal constructor(
    /** The days whose sleep it is part of, or that failed. */
    public val days: List<LocalDate>,
    /** The night; null where the days failed. */
    public val nightOrNull: Night?,
    /** Why there is none: with [RangeOptions.collectsFailures] days that failed are handed out too. */
    public val failure: VitalwireException?,
    /** How far the search is: parts are days, items nights. */
    public val progress: RangeProgress,
    /** What is left after this night, to be stored with it; null after the last. */
    public val resumeToken: ResumeToken?,
) {
    /** The night; of days that failed their error is thrown. */
    public val night: Night get() = nightOrNull ?: throw failure ?: VitalwireException.of(ErrorKind.INTERNAL, "days without a night")

    /** Shows no days and no values. */
    override fun toString(): String = "FoundNight(..)"

    public companion object {
        /** A night made by hand, for fakes: that of one of [total] days. */
        @JvmStatic
        public fun of(index: Int, total: Int, night: Night): FoundNight =
            FoundNight(night.days, night, null, RangeProgress(index + 1, total, index + 1L), null)
    }
}
