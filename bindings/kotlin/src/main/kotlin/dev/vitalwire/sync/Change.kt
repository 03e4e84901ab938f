package dev.vitalwire

import dev.vitalwire.ffi.SyncChange
import java.time.LocalDate
import dev.vitalwire.ffi.ChangeType as NativeChangeType

/** How a record has changed. */
public enum class ChangeType {
    /** The record is new. */
    ADDED,

    /** The record has other content, or belongs to another day. */
    CHANGED,

    /** The service no longer returns the record. */
    REMOVED,

    /**
     * A day before the look-back has changed. Remove all records of this kind whose day is [Change.day]. Those that still exist follow as
     * added or changed.
     */
    DAY_REMOVED,
    ;

    internal companion object {
        fun of(native: NativeChangeType): ChangeType = when (native) {
            NativeChangeType.ADDED -> ADDED
            NativeChangeType.CHANGED -> CHANGED
            NativeChangeType.REMOVED -> REMOVED
            NativeChangeType.DAY_REMOVED -> DAY_REMOVED
        }
    }
}

/** A change of a record. Apply changes in their order. Insert or replace added and changed records by [kind] and [id]. */
public class Change internal constructor(
    /** Kind of the record. */
    public val kind: RecordKind,
    /** How the record has changed. */
    public val type: ChangeType,
    /** Id of the record: a date, the start of an hour, or the id that the service gave it. Null for [ChangeType.DAY_REMOVED]. */
    public val id: String?,
    /**
     * Day of the record. Store it with the record, because [ChangeType.DAY_REMOVED] names days. Null if it is not certain by which day the
     * service selects the record. Such a record is always removed by its id.
     */
    public val day: LocalDate?,
    /**
     * Content key before the change: a keyed digest of the content. Null for a new record, and for a record of a day before the look-back.
     */
    public val before: String?,
    /** Content key after the change; null for a removed record. */
    public val after: String?,
    /**
     * The rows of the record as JSON objects, by column. Columns without a value are left out. Most records have one row. Empty for a
     * removed record.
     */
    public val jsonRows: List<String>,
) {
    override fun equals(other: Any?): Boolean = this === other || other is Change && values == other.values

    override fun hashCode(): Int = values.hashCode()

    private val values get() = listOf(kind, type, id, day, before, after, jsonRows)

    /** Returns a description with kind and type, without id, day and values. */
    override fun toString(): String = "Change($kind $type)"

    public companion object {
        /** Creates a change, for fakes. */
        @JvmStatic
        @JvmOverloads
        public fun of(
            kind: RecordKind,
            type: ChangeType,
            id: String?,
            day: LocalDate?,
            jsonRows: List<String> = emptyList(),
        ): Change = Change(kind, type, id, day, null, null, jsonRows.toList())

        internal fun of(native: SyncChange): Change = Change(
            RecordKind.of(native.kind),
            ChangeType.of(native.changeType),
            native.id,
            native.day?.toKotlin(),
            native.before,
            native.after,
            native.jsonRows,
        )
    }
}
