package dev.vitalwire

/** A model of the service's responses. Creating, printing and comparing records does not need the native library. */
public abstract class ServiceRecord internal constructor() {
    /** The values of all fields. */
    internal abstract val memberValues: Array<Any?>

    internal abstract fun writeTo(json: JsonWriter)

    /** Returns the record in the JSON format of the service. The text contains health data. */
    public fun toJson(): String = JsonWriter().value(this).toString()

    final override fun equals(other: Any?): Boolean =
        this === other || other is ServiceRecord && javaClass == other.javaClass && memberValues.contentDeepEquals(other.memberValues)

    final override fun hashCode(): Int = memberValues.contentDeepHashCode()
}
