package dev.vitalwire

/** A record that the service answers. Making, printing and comparing one needs no native library. */
public abstract class ServiceRecord internal constructor() {
    /** The values of its members. */
    internal abstract val memberValues: Array<Any?>

    internal abstract fun writeTo(json: JsonWriter)

    /** The record as the service writes it: JSON text. It holds what the record does. */
    public fun toJson(): String = JsonWriter().value(this).toString()

    final override fun equals(other: Any?): Boolean =
        this === other || other is ServiceRecord && javaClass == other.javaClass && memberValues.contentDeepEquals(other.memberValues)

    final override fun hashCode(): Int = memberValues.contentDeepHashCode()
}
