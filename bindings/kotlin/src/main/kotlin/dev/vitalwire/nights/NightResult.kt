package dev.vitalwire

import java.time.LocalDate

/** A result of a search: a night, or days that could not be read. */
public class NightResult internal constructor(
    /** The days of the night, or the days that could not be read. */
    public val days: List<LocalDate>,
    /** The night; null if the days could not be read. */
    public val nightOrNull: Night?,
    /** The failure; null if there is a night. Set with [RangeOptions.collectsFailures] only. */
    public val failure: VitalwireException?,
    /** Progress of the search, including this result. Parts are days, and items are nights. */
    public val progress: RangeProgress,
    /** A token for the days after this result; null after the last. Store it with the night. */
    public val resumeToken: ResumeToken?,
) {
    /** The night. If the days could not be read, this property throws the failure. */
    public val night: Night get() =
        nightOrNull ?: throw failure ?: VitalwireException.of(ErrorKind.INTERNAL, "the days have neither a night nor a failure")

    /** Returns a description without days and values. */
    override fun toString(): String = "NightResult(..)"

    public companion object {
        /** Creates a result for fakes: the night at [index] of [total]. */
        @JvmStatic
        public fun of(index: Int, total: Int, night: Night): NightResult =
            NightResult(night.days, night, null, RangeProgress(index + 1, total, index + 1L), null)
    }
}
