package dev.vitalwire

/**
 * A value of a set that the service may extend. An open set is a class rather than an enum, so that a new value breaks no `when`.
 *
 * Two spellings of one value are equal if this version knows both. [text] is the spelling received.
 *
 * [toString] does not show the text, because a provider or a sleep stage is personal data.
 */
public abstract class OpenSet internal constructor(
    /** The service's text for the value. This version may not know the value. */
    public val text: String,
) {
    /** Whether this version knows the value. */
    public abstract val isKnown: Boolean

    /** Canonical spelling of the value, for comparisons. */
    internal open val canonical: String get() = text

    final override fun equals(other: Any?): Boolean =
        this === other || other is OpenSet && javaClass == other.javaClass && canonical == other.canonical

    final override fun hashCode(): Int = canonical.hashCode()
}

/** The quantity that nutritional numbers refer to. */
public class NumberBasis(text: String) : OpenSet(text) {
    override val isKnown: Boolean get() = this in allKnown

    /** Returns the type name, without the value. */
    override fun toString(): String = "NumberBasis(..)"

    public companion object {
        /** The serving size of the record. */
        @JvmField
        public val PER_SERVING: NumberBasis = NumberBasis("per_serving")

        /** 100 g or 100 ml. */
        @JvmField
        public val PER_100: NumberBasis = NumberBasis("per_100")

        /** Not stated by the service. */
        @JvmField
        public val UNKNOWN: NumberBasis = NumberBasis("unknown")

        /** All values that this version knows. */
        @JvmStatic
        public val allKnown: List<NumberBasis> = listOf(PER_SERVING, PER_100, UNKNOWN)
    }
}
