package dev.vitalwire

import dev.vitalwire.ffi.SyncPlan as NativeSyncPlan

/** The requests of a sync. */
public class SyncPlan internal constructor(
    /** Days by kinds that share requests. */
    public val days: List<PlannedDays>,
    /** Estimated number of requests, without retries. Includes the request for the user's information. */
    public val requests: Long,
) {
    /** Returns a description with the number of requests, without days. */
    override fun toString(): String = "SyncPlan($requests requests)"

    internal companion object {
        fun of(native: NativeSyncPlan): SyncPlan {
            val days = native.days.map { days ->
                PlannedDays(days.kinds.map(RecordKind::of), days.ranges.map { it.toKotlin() }, days.requests.toLong())
            }
            return SyncPlan(days, native.requests.toLong())
        }
    }
}

/** Days of kinds that share requests. */
public class PlannedDays internal constructor(
    /** The kinds. */
    public val kinds: List<RecordKind>,
    /** The days that are due, in ranges. */
    public val days: List<RangeBounds.Days>,
    /** Estimated number of requests. One sleep per day is assumed. */
    public val requests: Long,
) {
    /** Returns a description with the number of requests, without days. */
    override fun toString(): String = "PlannedDays($kinds, $requests requests)"
}
