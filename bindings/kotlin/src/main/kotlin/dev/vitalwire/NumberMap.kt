package dev.vitalwire

/** A wide object of numbers, such as the metrics of a sleep. */
public abstract class NumberMap<N : OpenSet> internal constructor(builder: Builder<N, *>) {
    internal val numbers: Map<String, Double> = builder.named

    /** Members that were no numbers: name and JSON text. */
    public val extra: Map<String, String> = builder.extra

    /** Numbers by name, also those that this version does not know. */
    public abstract val values: Map<N, Double>

    /** The number under a name. */
    public operator fun get(name: N): Double? = numbers[name.text]

    internal fun writeTo(json: JsonWriter) {
        numbers.forEach { (name, number) -> json.member(name, number) }
        json.rest(extra)
    }

    override fun equals(other: Any?): Boolean = this === other ||
        other is NumberMap<*> && javaClass == other.javaClass && numbers == other.numbers && extra == other.extra

    override fun hashCode(): Int = numbers.hashCode()

    /** Numbers made by hand. */
    @VitalwireDsl
    public abstract class Builder<N : OpenSet, B : Builder<N, B>> internal constructor() {
        internal var named: Map<String, Double> = emptyMap()

        /** Members that are no numbers: name and JSON text. */
        public var extra: Map<String, String> = emptyMap()

        /** Sets the number under a name. */
        public operator fun set(name: N, number: Double) {
            named += name.text to number
        }

        /** Sets the number under a name. */
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
