// Kotlin code of the README. `ReadmeTest` checks that both are equal.
package dev.vitalwire.readme

// --8<-- [start:sync]
import dev.vitalwire.*

/** Applies what has changed to a copy, by kind and id of the records. */
suspend fun sync(
    client: VitalwireClient, secret: ByteArray, stored: ByteArray?, copy: MutableMap<Pair<RecordKind, String?>, Change>,
    store: (ByteArray) -> Unit,
) {
    client.sync(setOf(RecordKind.DAILY, RecordKind.LABS), secret, user = "user-7", state = stored).parts.collect { part ->
        for (change in part.changes) when (change.type) {
            ChangeType.ADDED, ChangeType.CHANGED -> copy[change.kind to change.id] = change
            ChangeType.REMOVED -> copy.remove(change.kind to change.id)
            ChangeType.DAY_REMOVED -> copy.values.removeAll { it.kind == change.kind && it.day == change.day }
        }
        store(part.state)
    }
}
// --8<-- [end:sync]
