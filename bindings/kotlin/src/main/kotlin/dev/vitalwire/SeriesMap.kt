package dev.vitalwire

/** A wide object of series, such as the samples of a sleep. */
public abstract class SeriesMap<N : OpenSet> internal constructor(builder: Builder<N, *>) {
    internal val named: Map<String, Series> = builder.named

    /** Members that were no lists of numbers: name and JSON text. */
    public val extra: Map<String, String> = builder.extra

    /** Series by name, also those that this version does not know. */
    public abstract val series: Map<N, Series>

    /** The series under a name. */
    public operator fun get(name: N): Series? = named[name.text]

    internal fun writeTo(json: JsonWriter) {
        named.forEach { (name, series) -> json.member(name, series) }
        json.rest(extra)
    }

    override fun equals(other: Any?): Boolean =
        this === other || other is SeriesMap<*> && javaClass == other.javaClass && named == other.named && extra == other.extra

    override fun hashCode(): Int = named.keys.hashCode()

    /** Series made by hand. */
    @VitalwireDsl
    public abstract class Builder<N : OpenSet, B : Builder<N, B>> internal constructor() {
        internal var named: Map<String, Series> = emptyMap()

        /** Members that are no lists of numbers: name and JSON text. */
        public var extra: Map<String, String> = emptyMap()

        /** Sets the series under a name. */
        public operator fun set(name: N, series: Series) {
            named += name.text to series
        }

        /** Sets the series under a name. */
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
