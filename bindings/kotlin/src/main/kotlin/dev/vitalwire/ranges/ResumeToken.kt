package dev.vitalwire

import dev.vitalwire.ffi.parseResumeToken

/**
 * A token for the remaining parts of a range. Pass it to a later run of the same call as [RangeOptions.resume].
 *
 * Store the text together with the values of the parts that were read, because a run that resumes does not request them again. The text
 * contains the operation, the bounds of the range, the remaining parts, a hash of the other parameters and a hash of
 * [RangeOptions.resumeKey]. It contains neither an access token nor health data.
 *
 * An invalid text is rejected with kind `invalid_argument`, by the call and by the properties of this class. Before the first call,
 * properties other than [text] load the native library on the calling thread.
 */
public class ResumeToken private constructor(
    /** The text to store. */
    public val text: String,
) {
    private val contents by lazy { translateErrors { parseResumeToken(text) } }

    /** Id of the operation in the service's specification. */
    public val operation: String get() = contents.operation

    /** Number of remaining parts. */
    public val partsLeft: Int get() = contents.partsLeft.toInt()

    /** The bounds of the whole range; null if the range is open. */
    public val range: RangeBounds? get() = contents.range?.toKotlin()

    override fun equals(other: Any?): Boolean = other is ResumeToken && text == other.text

    override fun hashCode(): Int = text.hashCode()

    /** Does not show the text. */
    override fun toString(): String = "ResumeToken(..)"

    public companion object {
        /** Creates a token from a stored text. */
        @JvmStatic
        public fun of(text: String): ResumeToken = ResumeToken(text)
    }
}
