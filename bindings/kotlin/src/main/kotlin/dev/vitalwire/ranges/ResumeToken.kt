package dev.vitalwire

import dev.vitalwire.ffi.resumeTokenFacts

/**
 * The parts of a range that were not read, for a later run of the same call: set it as [RangeOptions.resume].
 *
 * Its text can be stored, in a `SavedStateHandle` too. It holds the operation, the bounds of the range, the parts that are left and a
 * hash of the other parameters; no access token and nothing that was read. Whose data it is for it holds only as a hash of
 * [RangeOptions.resumeKey].
 *
 * A text that is no token is refused by the call that it is given to, and by what is read of it here, with kind `invalid_argument`.
 */
public class ResumeToken private constructor(
    /** The text to store. */
    public val text: String,
) {
    private val facts by lazy { translated { resumeTokenFacts(text) } }

    /** The operation, as the service's specification calls it. */
    public val operation: String get() = facts.operation

    /** How many parts are left. */
    public val partsLeft: Int get() = facts.partsLeft.toInt()

    /** The bounds of the whole range; null if it is open. */
    public val bounds: RangeBounds? get() = facts.range?.shown()

    override fun equals(other: Any?): Boolean = other is ResumeToken && text == other.text

    override fun hashCode(): Int = text.hashCode()

    /** Shows nothing of it. */
    override fun toString(): String = "ResumeToken(..)"

    public companion object {
        /** A token whose text was stored. */
        @JvmStatic
        public fun of(text: String): ResumeToken = ResumeToken(text)
    }
}
