package dev.vitalwire

import java.time.Instant
import java.time.LocalDate
import dev.vitalwire.ffi.SyncEvent as NativeSyncEvent

/**
 * Kinds and days whose records may have changed, such as those that a webhook of your server names.
 *
 * An event is no change itself: it makes its days due, and the next sync compares them with the state. A change is therefore reported once,
 * however many events name it.
 */
public class SyncEvent private constructor(private val values: List<Any?>, private val convert: () -> NativeSyncEvent) {
    override fun equals(other: Any?): Boolean = this === other || other is SyncEvent && values == other.values

    override fun hashCode(): Int = values.hashCode()

    /** Returns the type name, without user, days and times. */
    override fun toString(): String = "SyncEvent(..)"

    internal fun toNative(): NativeSyncEvent = convert()

    public companion object {
        /** Creates an event of any origin. Both days are inclusive. */
        @JvmStatic
        public fun of(kinds: Set<RecordKind>, first: LocalDate, last: LocalDate): SyncEvent {
            val known = kinds.toList()
            return SyncEvent(listOf(known, first, last)) {
                NativeSyncEvent.Days(known.map { it.toNative() }, first.toNative(), last.toNative())
            }
        }

        /**
         * Creates an event from the times of a webhook. It has the days of these times in UTC, and one day before and after.
         *
         * For a webhook about changed records, pass the statistics and sleeps with the start of the earliest and the end of the latest
         * record. For a nutrition record, pass the times of its consumption and upload; for a lab report, those of its
         * collection and upload.
         *
         * @param applicationUserId id of the user at the service, if the webhook has it. A sync skips events of other
         *   users. If all events belong to other users, the sync fails with kind `invalid_argument`.
         */
        @JvmStatic
        @JvmOverloads
        public fun ofTimes(
            kinds: Set<RecordKind>,
            earliest: Instant,
            latest: Instant = earliest,
            applicationUserId: String? = null,
        ): SyncEvent {
            val known = kinds.toList()
            return SyncEvent(listOf(known, earliest, latest, applicationUserId)) {
                NativeSyncEvent.Times(known.map { it.toNative() }, earliest.toNative(), latest.toNative(), applicationUserId)
            }
        }
    }
}
