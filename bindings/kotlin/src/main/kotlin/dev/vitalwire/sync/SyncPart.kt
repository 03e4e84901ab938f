package dev.vitalwire

import java.time.LocalDate
import java.util.concurrent.CompletableFuture
import dev.vitalwire.ffi.DayRange
import dev.vitalwire.ffi.SyncPart as NativeSyncPart

/**
 * The changes of a span of days, and the state after them.
 *
 * Apply the changes and store [state] in one transaction. Without transactions, store [stateBefore], apply the changes, then store [state]:
 * if the application ends in between, the next sync returns the changes again, or their opposite.
 */
public class SyncPart private constructor(
    /** The days that were read. */
    public val days: RangeBounds.Days,
    /** The kinds that were read. */
    public val kinds: List<RecordKind>,
    /** The changes, in the order in which they must be applied. */
    public val changes: List<Change>,
    /** The state to store after the changes. It is all that the next sync needs. */
    public val state: ByteArray,
    /** The state to store before the changes, if changes and state are not stored in one transaction. */
    public val stateBefore: ByteArray,
    /** Number of the state after the changes. Every later state of a copy raises it. */
    public val generation: Long,
    /** Progress of the sync, including this part. */
    public val progress: SyncProgress,
    /** Whether the sync has more parts. */
    public val hasMore: Boolean,
    /**
     * Number of items and values of the responses that are left out: they cannot be decoded, or are listed sleeps that are not found.
     * Their days stay due, and no record is removed because of them.
     */
    public val leftOut: Long,
    private val tableOf: (RecordKind) -> Table?,
) {
    /**
     * Returns the rows of all records of a kind that were read, changed or not; null if the part does not have the kind. The table is made
     * on another thread.
     */
    @JvmSynthetic
    public suspend fun table(kind: RecordKind): Table? = runInBackground { tableOf(kind) }

    /** Returns the table for Java. */
    @JvmName("table")
    public fun tableForJava(kind: RecordKind): CompletableFuture<Table?> = startForJava { table(kind) }

    /** Returns a description with counts, without days, ids and values. */
    override fun toString(): String = "SyncPart(${changes.size} changes, $progress)"

    public companion object {
        /** Creates a part, for fakes. It has no tables. */
        @JvmStatic
        public fun of(first: LocalDate, last: LocalDate, changes: List<Change>, state: ByteArray): SyncPart {
            val kinds = changes.map { it.kind }.distinct()
            val progress = SyncProgress(1, 1)
            return SyncPart(RangeBounds.Days(first, last), kinds, changes.toList(), state, state, 0, progress, false, 0) { null }
        }

        internal fun of(native: NativeSyncPart): SyncPart = SyncPart(
            days = native.days.toKotlin(),
            kinds = native.kinds.map(RecordKind::of),
            changes = native.changes.map(Change::of),
            state = native.state,
            stateBefore = native.stateBefore,
            generation = native.generation.toLong(),
            progress = SyncProgress(native.doneDays.toLong(), native.totalDays.toLong()),
            hasMore = native.hasMore,
            leftOut = native.leftOut.toLong(),
        ) { kind -> translateErrors { native.tables.table(kind.toNative()) }?.let { Table.of(it) } }
    }
}

/** Progress of a sync. Days of different kinds count separately. */
public class SyncProgress internal constructor(
    /** Number of days that are done, including those that could not be read. */
    public val doneDays: Long,
    /** Number of days of the whole sync. */
    public val totalDays: Long,
) {
    /** Completed fraction from 0 to 1, for a progress bar. */
    public val fraction: Double get() = if (totalDays == 0L) 0.0 else doneDays.toDouble() / totalDays

    override fun equals(other: Any?): Boolean = other is SyncProgress && doneDays == other.doneDays && totalDays == other.totalDays

    override fun hashCode(): Int = 31 * doneDays.hashCode() + totalDays.hashCode()

    /** Returns a description with the number of days that are done. */
    override fun toString(): String = "SyncProgress($doneDays of $totalDays days)"
}

internal fun DayRange.toKotlin() = RangeBounds.Days(first.toKotlin(), last.toKotlin())
