package dev.vitalwire

import dev.vitalwire.ffi.ColumnKind
import dev.vitalwire.ffi.TableAnswer
import dev.vitalwire.ffi.TableColumn
import dev.vitalwire.ffi.tableColumns
import java.time.Instant
import java.time.LocalDate
import java.time.ZoneId

/**
 * Records as columns of one length with units, for charts.
 *
 * ```kotlin
 * val table = merged.response.dailyStatisticsTable()
 * for (point in table.points("steps")) bar(point.time, point.value)
 * ```
 */
public class ColumnTable private constructor(
    /** Number of rows. */
    public val rows: Int,
    /** The columns that have a value in a row. */
    public val columns: List<Column>,
    /**
     * Number of values that were left out, by column: of an unexpected type, or times that no column can represent. If a whole object or
     * list was of another type, or an item of a list could not be decoded, the key is the field of the response, `response` for a response
     * that itself is the list. Items are counted in tables of a [Response], and among its [Response.skippedItems] only.
     *
     * An undeclared name of a column may be personal.
     */
    public val skippedByColumn: Map<String, Long>,
) {
    /** Number of values that were left out: the sum of [skippedByColumn]. */
    public val skippedCount: Long get() = skippedByColumn.values.sum()

    /** The column of a name; null where no row has a value. */
    public operator fun get(name: String): Column? = columns.firstOrNull { it.name == name }

    /**
     * The values of a column with their times, each made when it is asked for; none where there is no such column. Rows without a value
     * or a time are left out.
     *
     * @param over the name of the column of times; the first that has some by default.
     * @param zone the time zone in which days begin.
     */
    @JvmOverloads
    public fun points(name: String, over: String? = null, zone: ZoneId = ZoneId.systemDefault()): List<Point> {
        val times = if (over == null) columns.firstOrNull { it.isTime } else get(over)
        val values = get(name)
        if (times == null || values == null || times.series.size != values.series.size) return emptyList()
        return Points((0 until rows).filter { !values.series[it].isNaN() && times.time(it, zone) != null }.toIntArray(), times, values, zone)
    }

    /** Shows how much there is, no values. */
    override fun toString(): String = "ColumnTable($rows rows, ${columns.size} columns)"

    /** One column. */
    public class Column internal constructor(native: TableColumn) {
        /** Name. */
        public val name: String = native.name

        /** Unit of the numbers, if known. */
        public val unit: String? = native.unit

        /** What the values are. */
        public val kind: Kind = Kind.of(native.kind)

        /**
         * Its numbers, not a number where one is missing: true is 1; days are counted, and times in seconds, since 1970-01-01. None of
         * texts.
         */
        public val series: Series = Series(native.numbers)

        /** Its texts; none of all else. */
        public val texts: List<String?> = native.texts

        /** Its times, null where one is missing; a day begins at midnight in the time zone. */
        @JvmOverloads
        public fun times(zone: ZoneId = ZoneId.systemDefault()): List<Instant?> = series.indices.map { time(it, zone) }

        /** Its days, null where one is missing; none of all else. */
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

        /** To the microsecond, which is what a double holds of a time. */
        private fun instant(seconds: Double): Instant {
            val whole = Math.floor(seconds)
            return Instant.ofEpochSecond(whole.toLong(), Math.round((seconds - whole) * 1e6) * 1_000)
        }

        /** Shows the name, no values. */
        override fun toString(): String = "Column($name)"

        /** What the values of a column are. */
        public enum class Kind {
            /** Numbers, whole ones too. */
            NUMBER,

            /** True or false. */
            FLAG,

            /** Texts. */
            TEXT,

            /** Days of the calendar. */
            DAY,

            /** Instants. */
            TIME,

            /** Times on the user's clock, as if that showed UTC. */
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

    /** One value of a column and its time: what a chart takes. */
    public class Point internal constructor(
        /** The row. */
        public val row: Int,
        /** The time of the row. */
        public val time: Instant,
        /** The value. */
        public val value: Double,
    ) {
        /** Shows the row, no values. */
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
         * Reads a table from answers, each as the operation would return it.
         *
         * @param returnedBy the operation of the response that the answers are in.
         * @param skippedItems the list items that were left out of that response.
         * @param basis returns the basis of the numbers of an answer.
         */
        fun <A : Any> of(
            table: String,
            operation: String,
            answers: List<A>,
            returnedBy: String = "",
            skippedItems: List<SkippedItem> = emptyList(),
            basis: ((A) -> NumberBasis)? = null,
        ): ColumnTable {
            val crossing = answers.map { TableAnswer(JsonWriter().value(it).toString(), basis?.invoke(it)?.text) }
            val native = translated { tableColumns(table, operation, crossing, returnedBy, skippedItems.map { it.jsonPath }) }
            return ColumnTable(native.rows.toInt(), native.columns.map(::Column), native.skipped.mapValues { it.value.toLong() })
        }
    }
}
