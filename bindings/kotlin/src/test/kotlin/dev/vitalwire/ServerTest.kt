package dev.vitalwire

import dev.vitalwire.server.WebhookKind
import dev.vitalwire.server.WebhookVerifier
import dev.vitalwire.server.Webhooks
import dev.vitalwire.server.signUserId
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Test

/** Tests the artifact `vitalwire-server`. Signatures were computed by `printf BODY | openssl dgst -sha256 -hmac KEY`. */
class ServerTest {
    private val old = "the-old-webhook-key"
    private val body = """[{"application_user_id":"user-7","event_type":"record_change","metrics":["steps",7]}]""".toByteArray()
    private val signature = "21544df191c5c2ac97d68f0b563a30b594bf1d767b8b793d62b40ed247abb0f1"

    private inline fun <reified T : VitalwireException> fails(crossinline work: () -> Unit): T =
        assertThrows(T::class.java) { work() }.also { assertFalse("CANARY" in it.stackTraceToString()) }

    @Test
    fun `a body is verified with every key and parsed`() {
        WebhookVerifier("the-new-webhook-key", "$old\n").use { verifier ->
            for (header in listOf(signature, " ${signature.uppercase()} ")) {
                val event = verifier.verifyAndParseEvents(body, header).single()
                assertEquals("user-7", event.applicationUserId)
                assertEquals(WebhookEventType.RECORD_CHANGE, event.eventType)
                assertEquals(listOf("steps"), event.metrics)
            }
            assertEquals("WebhookVerifier(..)", "$verifier")
        }
        assertEquals(listOf("[0].metrics[1]"), Webhooks.skippedItems(body, WebhookKind.EVENTS).map { it.jsonPath })
    }

    @Test
    fun `a body without a valid signature is rejected`() {
        val verifier = WebhookVerifier(listOf(old.toByteArray()))
        val changed = body.clone().also { it[30]++ }
        assertEquals(1502, fails<VitalwireException.Signature> { verifier.verifyAndParseEvents(changed, signature) }.code)
        for (header in listOf(null, "", signature.drop(1), "é$signature", signature.replaceFirst(signature[0], '0'))) {
            fails<VitalwireException.Signature> { verifier.verify(body, header) }
        }
        fails<VitalwireException.Signature> { WebhookVerifier("another-webhook-key").verifyAndParseLabReport(body, signature) }
        fails<VitalwireException.Decode> { verifier.verifyAndParseNutrition(body, signature) }
    }

    @Test
    fun `the default body limit is that of the core`() {
        val verifier = WebhookVerifier(old)
        val limit = Webhooks.DEFAULT_BODY_LIMIT.toInt()
        fails<VitalwireException.Signature> { verifier.verify(ByteArray(limit), signature) }
        fails<VitalwireException.TooLarge> { verifier.verify(ByteArray(limit + 1), signature) }
        fails<VitalwireException.TooLarge> { WebhookVerifier(listOf(old.toByteArray()), 80).verify(body, signature) }
        fails<VitalwireException.TooLarge> { WebhookVerifier(listOf(old.toByteArray()), -1).verify(body, signature) }
    }

    @Test
    fun `a weak or damaged key is rejected`() {
        val damaged = listOf(" CANARY-with-a-space", "Bearer CANARY-a-webhook-key", "\"CANARY-in-quotes\"")
        for (key in listOf("CANARY-fifteen.", "CANARY-fifteen.\n") + damaged) {
            fails<VitalwireException.Configuration> { WebhookVerifier(key) }
            fails<VitalwireException.Configuration> { signUserId(key, "user-1") }
        }
        fails<VitalwireException.Configuration> { WebhookVerifier() }
        fails<VitalwireException.Configuration> { WebhookVerifier(listOf(ByteArray(16))) }
        fails<VitalwireException.InvalidArgument> { signUserId("", "user-1") }
        fails<VitalwireException.InvalidArgument> { signUserId("an-application-key", "") }
    }

    @Test
    fun `a closed verifier rejects every body`() {
        val verifier = WebhookVerifier(old)
        verifier.close()
        verifier.close()
        fails<VitalwireException.Closed> { verifier.verify(body, signature) }
    }

    @Test
    fun `signatures are those of OpenSSL`() {
        assertEquals("b6d21240a619a16353e8c662685627a2265f08c83c41770f287675104842d9b2", signUserId("an-application-key\n", "user-1"))
        assertEquals(signature, Webhooks.sign(body, old.toByteArray()))
    }

    @Test
    fun `the kind and the content of a body are recognised`() {
        assertEquals(WebhookKind.EVENTS, Webhooks.detectKind(body))
        assertEquals(WebhookKind.NUTRITION, Webhooks.detectKind("""{"record_id":"r","dish_name":"Soup"}""".toByteArray()))
        assertEquals(WebhookKind.LAB_REPORT, Webhooks.detectKind("""{"record_id":"r","sections":[]}""".toByteArray()))
        for (unclear in listOf("""{"record_id":"r","status":"failed"}""", "no JSON")) {
            assertNull(Webhooks.detectKind(unclear.toByteArray()))
        }
        // SHA-256 of `[{"a":72}]`.
        val key = Webhooks.contentKey("""[ {"a": 72.0} ]""".toByteArray())
        assertEquals("10164a4eaf95f275c54265ff1a101eecf02287ba6765e82f0123393590680634", key)
    }
}
