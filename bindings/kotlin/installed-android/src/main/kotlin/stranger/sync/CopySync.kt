package stranger.sync

import dev.vitalwire.*
import java.io.IOException
import java.time.LocalDate
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.sync.withLock
import kotlinx.coroutines.withContext

// --8<-- [start:program]
/** A copy of the user's records on the device, with the state of the last sync. */
interface RecordCopy {
    /** Returns the state of the last sync, or null before the first one. */
    fun state(): ByteArray?

    /** Applies changes in their order, and stores the state after them, in one transaction. */
    fun store(changes: List<Change>, state: ByteArray)

    /** Removes all records and the state. */
    fun clear()
}

/** Outcomes of a sync, with the names of WorkManager's `Result`. */
enum class Outcome { SUCCESS, RETRY, FAILURE }

// A screen and a worker may sync at the same time, and only one run may store its states.
private val running = Mutex()

/**
 * Updates the copy. If the sync is interrupted, the next one continues after the last part that was stored.
 *
 * @param firstDay first day of the copy. Defaults to 365 days before the first sync.
 */
suspend fun VitalwireApi.update(
    copy: RecordCopy, kinds: Set<RecordKind>, secret: ByteArray, user: String, firstDay: LocalDate? = null,
): Outcome = withContext(Dispatchers.IO) {
    running.withLock {
        try {
            sync(kinds, secret, user, copy.state()) { from = firstDay }.parts.collect { copy.store(it.changes, it.state) }
            Outcome.SUCCESS
        } catch (error: StateException) {
            if (error.stateReason == StateException.Reason.OTHER_USER) return@withLock Outcome.FAILURE
            // The state cannot be used any more. The next run reads all records again.
            copy.clear()
            Outcome.RETRY
        } catch (error: VitalwireException) {
            // An IOException of the token provider is an outage of the app's own server.
            val isOutage = error is VitalwireException.Authentication && error.cause is IOException
            if (error.isTransient || isOutage) Outcome.RETRY else Outcome.FAILURE
        }
    }
}
// --8<-- [end:program]
