package dev.vitalwire

/** A map of series by name, such as the samples of a sleep. */
public abstract class SeriesMap<N : OpenSet> internal constructor(builder: Builder<N, *>) {
    internal val named: Map<String, Series> = builder.named

    /** Entries that are not lists of numbers, as JSON text by name. */
    public val extra: Map<String, String> = builder.extra

    /** All series by name, including names that this version does not know. */
    public abstract val series: Map<N, Series>

    /** Returns the series with this name, or null. */
    public operator fun get(name: N): Series? = named[name.text]

    internal fun writeTo(json: JsonWriter) {
        named.forEach { (name, series) -> json.member(name, series) }
        json.rest(extra)
    }

    override fun equals(other: Any?): Boolean =
        this === other || other is SeriesMap<*> && javaClass == other.javaClass && named == other.named && extra == other.extra

    override fun hashCode(): Int = named.keys.hashCode()

    /** A builder of series maps, for tests and previews. */
    @VitalwireDsl
    public abstract class Builder<N : OpenSet, B : Builder<N, B>> internal constructor() {
        internal var named: Map<String, Series> = emptyMap()

        /** Entries that are not lists of numbers, as JSON text by name. */
        public var extra: Map<String, String> = emptyMap()

        /** Sets the series with this name. */
        public operator fun set(name: N, series: Series) {
            named += name.text to series
        }

        /** Sets the series with this name. */
        @Suppress("UNCHECKED_CAST")
        public fun put(name: N, series: Series): B {
            set(name, series)
            return this as B
        }

        internal fun take(members: Map<String, JsonValue>) {
            val (known, others) = members.entries.filter { !it.value.isNull }.partition { it.value.series != null }
            named = known.associate { it.key to checkNotNull(it.value.series) }
            extra = others.associate { it.key to it.value.raw }
        }

        internal fun take(map: SeriesMap<N>) {
            named = map.named
            extra = map.extra
        }
    }
}
