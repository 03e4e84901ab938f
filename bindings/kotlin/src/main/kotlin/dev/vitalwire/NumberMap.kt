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

        internal fun take(map: NumberMap<N>) {
            named = map.numbers
            extra = map.extra
        }
    }
}
