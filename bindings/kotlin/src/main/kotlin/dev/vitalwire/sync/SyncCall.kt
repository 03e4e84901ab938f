package dev.vitalwire

import dev.vitalwire.ffi.stateGeneration
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.asFlow

/**
 * A sync of a copy of the user's records: returns what has changed since the state of the last sync.
 *
 * ```kotlin
 * val kinds = setOf(RecordKind.DAILY, RecordKind.SLEEPS)
 * client.sync(kinds, secret, user = "user-7", state = stored).parts.collect { part ->
 *     database.withTransaction {
 *         for (change in part.changes) when (change.type) {
 *             ChangeType.ADDED, ChangeType.CHANGED -> insertOrReplace(change.kind, change.id, change.day, change.jsonRows)
 *             ChangeType.REMOVED -> remove(change.kind, change.id)
 *             ChangeType.DAY_REMOVED -> removeAll(change.kind, change.day)
 *         }
 *         storeState(part.state)
 *     }
 * }
 * ```
 *
 * A sync requests the days that were not requested yet or were not over, the look-back before them, and the days of events. It compares
 * them with the state. The first sync reads the newest days first. States do not expire, and contain no values. Ids and days are in a state
 * as they are, so protect it like the copy.
 *
 * If two syncs start from one state, only one may store its states. Before you store one, compare [generation] of the stored state with
 * that of the state that this sync has read or stored last. If they differ, stop without applying the changes.
 */
public interface SyncCall {
    /**
     * The parts. Days that remain from an interrupted sync come first, then the newest days. Nothing is requested before the flow is
     * collected. Each collection is a new sync from the same state, so do not repeat a flow that has returned parts: create a sync from
     * the last stored state.
     *
     * A part that fails is left out, and its days stay due. After the last part, the flow throws the last error. It ends earlier if the
     * error would occur for every part: the token is rejected, or the service cannot be reached. If the collector is cancelled, the calls
     * in flight are aborted. In all cases, the parts that were returned stay valid, and the next sync continues from the state of the last
     * one.
     *
     * The flow throws a [StateException] if the state is damaged, or belongs to another version, secret, service or user.
     */
    public val parts: Flow<SyncPart>

    /**
     * Returns what the sync would request, by the clock of this device, without a request.
     *
     * @throws StateException if the state cannot be used.
     */
    public suspend fun plan(): SyncPlan = unsupported("plan")

    /**
     * Returns the state with the [SyncOptions.events], without a request. Store it. The next sync reads the days.
     *
     * @throws StateException if the state cannot be used.
     */
    public suspend fun recordEvents(): ByteArray = unsupported("recordEvents")

    public companion object {
        /** Creates a sync that returns these parts, for fakes. */
        @JvmStatic
        public fun of(parts: List<SyncPart>): SyncCall = FakeSyncCall(parts.toList())

        /**
         * Returns the number of a state, which every later state of a copy raises. Before the first call, this loads the native library on
         * the calling thread.
         *
         * @throws StateException if the state is damaged, or belongs to another version.
         */
        @JvmStatic
        public fun generation(state: ByteArray): Long = translateErrors { stateGeneration(state) }.toLong()
    }
}

private class FakeSyncCall(parts: List<SyncPart>) : SyncCall {
    override val parts: Flow<SyncPart> = parts.asFlow()

    /** Returns a description without parts. */
    override fun toString(): String = "SyncCall(..)"
}
