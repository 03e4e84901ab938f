// Kotlin code of the README. `ReadmeTest` checks that both are equal.
package dev.vitalwire.readme

import dev.vitalwire.server.WebhookVerifier

class Receiver(key: String) {
    private val verifier = WebhookVerifier(key)

    fun users(body: ByteArray, signature: String?): List<String?> =
        verifier.verifyAndParseEvents(body, signature).map { it.applicationUserId }
}
