package dev.vitalwire

/**
 * A name of a set that the service may extend: a class over its text, so that a new name breaks no `when`.
 *
 * [toString] shows no text: which provider or sleep stage it is tells about a person.
 */
public abstract class OpenSet internal constructor(
    /** The text that the service uses; it may be one that this version does not know. */
    public val text: String,
) {
    /** Whether this version knows the text. */
    public abstract val isKnown: Boolean

    final override fun equals(other: Any?): Boolean =
        this === other || other is OpenSet && javaClass == other.javaClass && text == other.text

    final override fun hashCode(): Int = text.hashCode()
}

/** What nutritional numbers refer to. */
public class NumberBasis(text: String) : OpenSet(text) {
    override val isKnown: Boolean get() = this in allKnown

    /** Shows no value. */
    override fun toString(): String = "NumberBasis(..)"

    public companion object {
        /** The serving size of the record. */
        @JvmField
        public val PER_SERVING: NumberBasis = NumberBasis("per_serving")

        /** 100 g or 100 ml. */
        @JvmField
        public val PER_100: NumberBasis = NumberBasis("per_100")

        /** The service does not say. */
        @JvmField
        public val UNKNOWN: NumberBasis = NumberBasis("unknown")

        /** Every value that this version knows. */
        @JvmStatic
        public val allKnown: List<NumberBasis> = listOf(PER_SERVING, PER_100, UNKNOWN)
    }
}
