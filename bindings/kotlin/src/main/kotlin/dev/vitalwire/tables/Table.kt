package dev.vitalwire

import dev.vitalwire.ffi.ColumnKind
import dev.vitalwire.ffi.EncodedResponse
import dev.vitalwire.ffi.TableColumn
import dev.vitalwire.ffi.TableColumns
import dev.vitalwire.ffi.tableColumns
import java.time.Instant
import java.time.LocalDate
import java.time.ZoneId

/**
 * A table of records: columns of equal length with units, for charts.
 *
 * ```kotlin
 * val table = merged.response.table()
 * for (point in table.points(StatisticName.STEPS)) bar(point.time, point.value)
 * ```
 */
public class Table private constructor(
    /** Number of rows. */
    public val rows: Int,
    /** The columns that have at least one value. */
    public val columns: List<Column>,
    /** Names of all columns, including those without values. */
    public val names: List<String>,
    /**
     * Number of values that were left out, by column. Values are left out if they have the wrong type or are times out of range.
     *
     * If a whole object or list has the wrong type, or a list item could not be decoded, the key is the response's field. The key
     * is `response` if the response itself is the list. List items are counted only in tables of a [Response],
     * and only those among its [Response.skippedItems].
     *
     * Column names that the specification does not declare may be personal data.
     */
    public val skippedByColumn: Map<String, Long>,
) {
    /** Number of values that were left out: the sum of [skippedByColumn]. */
    public val skippedCount: Long get() = skippedByColumn.values.sum()

    /**
     * Returns the column with this name; null if no row has a value.
     *
     * @throws VitalwireException of kind `invalid_argument` if the table has no column with this name.
     */
    public operator fun get(name: String): Column? {
        val column = columns.firstOrNull { it.name == name }
        if (column == null && name !in names) throw invalidArgument("the table has no column with this name; `names` has all names")
        return column
    }

    /**
     * Returns the column with this name; null if no row has a value.
     *
     * @throws VitalwireException of kind `invalid_argument` if this version knows the name, and the table has no column with it.
     */
    public operator fun get(name: OpenSet): Column? = if (name.isKnown) get(name.text) else columns.firstOrNull { it.name == name.text }

    /**
     * Returns the values of a column with their times. Rows without a value or a time are left out.
     *
     * Points are created on access.
     *
     * @param over name of the column with the times. Defaults to the first column of times.
     * @param zone time zone in which days begin. Defaults to that of the system.
     * @throws VitalwireException of kind `invalid_argument` if the table has no column with one of these names.
     */
    @JvmOverloads
    public fun points(name: String, over: String? = null, zone: ZoneId = ZoneId.systemDefault()): List<Point> =
        points(get(name), over, zone)

    /**
     * Returns the values of a column with their times, for example of [StatisticName.STEPS]. Rows without a value or a time are left out.
     *
     * Points are created on access.
     *
     * @param over name of the column with the times. Defaults to the first column of times.
     * @param zone time zone in which days begin. Defaults to that of the system.
     * @throws VitalwireException of kind `invalid_argument` if this version knows the name, and the table has no column with it.
     */
    @JvmOverloads
    public fun points(name: OpenSet, over: String? = null, zone: ZoneId = ZoneId.systemDefault()): List<Point> =
        points(get(name), over, zone)

    private fun points(values: Column?, over: String?, zone: ZoneId): List<Point> {
        val times = if (over == null) columns.firstOrNull { it.isTime } else get(over)
        if (times == null || values == null || times.series.size != values.series.size) return emptyList()
        val present = (0 until rows).filter { !values.series[it].isNaN() && times.time(it, zone) != null }
        return Points(present.toIntArray(), times, values, zone)
    }

    /** Returns a description with counts, but without values. */
    override fun toString(): String = "Table($rows rows, ${columns.size} columns)"

    /** A column of a table. */
    public class Column internal constructor(native: TableColumn) {
        /** Name of the column. */
        public val name: String = native.name

        /** Unit of the numbers; null if unknown. */
        public val unit: String? = native.unit

        /** Kind of the values. */
        public val kind: Kind = Kind.of(native.kind)

        /**
         * The values as numbers, with NaN for missing values; empty for texts.
         *
         * True is 1. Days are the number of days, and times the number of seconds, since 1970-01-01.
         */
        public val series: Series = Series(native.numbers)

        /** The values as texts; empty for other kinds. */
        public val texts: List<String?> = native.texts

        /** Returns the values as times, with null for missing values. A day becomes its start in the time zone. */
        @JvmOverloads
        public fun times(zone: ZoneId = ZoneId.systemDefault()): List<Instant?> = series.indices.map { time(it, zone) }

        /** Returns the values as days, with null for missing values; empty for other kinds. */
        public fun days(): List<LocalDate?> =
            if (kind == Kind.DAY) series.map { if (it.isNaN()) null else LocalDate.ofEpochDay(it.toLong()) } else emptyList()

        internal val isTime: Boolean get() = kind == Kind.DAY || kind == Kind.TIME

        internal fun time(row: Int, zone: ZoneId): Instant? {
            val number = series[row]
            return when {
                number.isNaN() -> null
                kind == Kind.DAY -> LocalDate.ofEpochDay(number.toLong()).atStartOfDay(zone).toInstant()
                kind == Kind.TIME || kind == Kind.LOCAL_TIME -> instant(number)
                else -> null
            }
        }

        /** Converts seconds to an instant, to the microsecond: a double has no more precision. */
        private fun instant(seconds: Double): Instant {
            val whole = Math.floor(seconds)
            return Instant.ofEpochSecond(whole.toLong(), Math.round((seconds - whole) * 1e6) * 1_000)
        }

        /** Returns a description with the name, but without values. */
        override fun toString(): String = "Column($name)"

        /** Kind of the values of a column. */
        public enum class Kind {
            /** Numbers, including integers. */
            NUMBER,

            /** True or false. */
            FLAG,

            /** Texts. */
            TEXT,

            /** Calendar days. */
            DAY,

            /** Instants. */
            TIME,

            /** Local times of the user, shown as if they were UTC. */
            LOCAL_TIME,
            ;

            internal companion object {
                fun of(native: ColumnKind): Kind = when (native) {
                    ColumnKind.NUMBER, ColumnKind.INTEGER -> NUMBER
                    ColumnKind.BOOLEAN -> FLAG
                    ColumnKind.TEXT -> TEXT
                    ColumnKind.DATE -> DAY
                    ColumnKind.INSTANT -> TIME
                    ColumnKind.LOCAL_TIME -> LOCAL_TIME
                }
            }
        }
    }

    /** A point of a chart: a value and its time. */
    public class Point internal constructor(
        /** Index of the row. */
        public val row: Int,
        /** Time of the row. */
        public val time: Instant,
        /** Value of the column. */
        public val value: Double,
    ) {
        /** Returns a description with the row, but without values. */
        override fun toString(): String = "Point($row)"
    }

    private class Points(private val rows: IntArray, private val times: Column, private val values: Column, private val zone: ZoneId) :
        AbstractList<Point>(), RandomAccess {
        override val size: Int get() = rows.size

        override fun get(index: Int): Point = rows[index].let { Point(it, times.time(it, zone) ?: Instant.EPOCH, values.series[it]) }

        override fun toString(): String = "Points($size)"
    }

    internal companion object {
        /**
         * Creates a table from responses of an operation, on another thread.
         *
         * @param returnedBy the operation whose response contained [responses].
         * @param skippedItems the list items that were left out of that response.
         * @param basis returns the basis of the numbers of a response.
         */
        suspend fun <A : Any> of(
            table: String,
            operation: String,
            responses: List<A>,
            returnedBy: String,
            skippedItems: List<SkippedItem>,
            basis: ((A) -> NumberBasis)? = null,
        ): Table = runInBackground {
            val inputs = responses.map { EncodedResponse(JsonWriter().value(it).toString(), basis?.invoke(it)?.text) }
            of(translateErrors { tableColumns(table, operation, inputs, returnedBy, skippedItems.map { it.jsonPath }) })
        }

        fun of(native: TableColumns): Table =
            Table(native.rows.toInt(), native.columns.map(::Column), native.names, native.skipped.mapValues { it.value.toLong() })
    }
}
