package dev.vitalwire

/** A map of numbers by name, such as the metrics of a sleep. */
public abstract class NumberMap<N : OpenSet> internal constructor(builder: Builder<N, *>) {
    internal val numbers: Map<String, Double> = builder.named

    /** Entries that are not numbers, as JSON text by name. */
    public val extra: Map<String, String> = builder.extra

    /** All numbers by name, including names that this version does not know. */
    public abstract val values: Map<N, Double>

    /** Returns the number with this name, or null. */
    public operator fun get(name: N): Double? = numbers[name.text]

    internal fun writeTo(json: JsonWriter) {
        numbers.forEach { (name, number) -> json.member(name, number) }
        json.rest(extra)
    }

    override fun equals(other: Any?): Boolean = this === other ||
        other is NumberMap<*> && javaClass == other.javaClass && numbers == other.numbers && extra == other.extra

    override fun hashCode(): Int = numbers.hashCode()

    /** A builder of number maps, for tests and previews. */
    @VitalwireDsl
    public abstract class Builder<N : OpenSet, B : Builder<N, B>> internal constructor() {
        internal var named: Map<String, Double> = emptyMap()

        /** Entries that are not numbers, as JSON text by name. */
        public var extra: Map<String, String> = emptyMap()

        /** Sets the number with this name. */
        public operator fun set(name: N, number: Double) {
            named += name.text to number
        }

        /** Sets the number with this name. */
        @Suppress("UNCHECKED_CAST")
        public fun put(name: N, number: Double): B {
            set(name, number)
            return this as B
        }

        internal fun take(members: Map<String, JsonValue>) {
            val (known, others) = members.entries.filter { !it.value.isNull }.partition { it.value.double != null }
            named = known.associate { it.key to checkNotNull(it.value.double) }
            extra = others.associate { it.key to it.value.raw }
        }

        internal fun take(map: NumberMap<N>) {
            named = map.numbers
            extra = map.extra
        }
    }
}
