// Kotlin code of the README. `ReadmeTest` checks that both are equal.
package dev.vitalwire.readme

import dev.vitalwire.*

suspend fun sync(
    client: VitalwireClient, secret: ByteArray, stored: ByteArray?, copy: MutableMap<String?, Change>, store: (ByteArray) -> Unit,
) {
    client.sync(setOf(RecordKind.DAILY), secret, user = "user-7", state = stored).parts.collect { part ->
        for (change in part.changes) when (change.type) {
            ChangeType.ADDED, ChangeType.CHANGED -> copy[change.id] = change
            ChangeType.REMOVED -> copy.remove(change.id)
            ChangeType.DAY_REMOVED -> copy.values.removeAll { it.day == change.day }
        }
        store(part.state)
    }
}
