package dev.vitalwire

import dev.vitalwire.ffi.LabReportWebhook
import dev.vitalwire.ffi.NativeVerifier
import dev.vitalwire.ffi.NutritionWebhook
import dev.vitalwire.ffi.WebhookEvent
import dev.vitalwire.ffi.parseWebhookEvents
import dev.vitalwire.ffi.parseWebhookLabReport
import dev.vitalwire.ffi.parseWebhookNutrition

/**
 * Checks the signatures of webhooks, and reads their bodies. For servers: an application never holds the key.
 *
 * @param keys several serve a rotation: a signature under any of them is taken. Keys are taken byte for byte.
 * @throws VitalwireException of kind `CONFIGURATION` without a key, or with an empty one.
 */
class WebhookVerifier(keys: List<ByteArray>) : AutoCloseable {
    private val native: NativeVerifier = translated { NativeVerifier(keys) }

    /**
     * Checks a body, as it came, against the value of its signature header.
     *
     * @throws VitalwireException of kind `SIGNATURE` where it does not fit.
     */
    fun verify(body: ByteArray, signature: String): Unit = translated { native.verify(body, signature) }

    /** Verified events. */
    fun events(body: ByteArray, signature: String): List<WebhookEvent> {
        verify(body, signature)
        return Webhooks.events(body)
    }

    /** A verified lab report. */
    fun labReport(body: ByteArray, signature: String): LabReportWebhook {
        verify(body, signature)
        return Webhooks.labReport(body)
    }

    /** A verified nutrition record. */
    fun nutrition(body: ByteArray, signature: String): NutritionWebhook {
        verify(body, signature)
        return Webhooks.nutrition(body)
    }

    /** Closes the verifier and forgets its keys. */
    override fun close(): Unit = native.close()
}

/** Reads webhooks' bodies without looking at their signatures. Errors are of kind `DECODE`. */
object Webhooks {
    /** A list of events. */
    fun events(body: ByteArray): List<WebhookEvent> = translated { parseWebhookEvents(body) }

    /** A lab report. */
    fun labReport(body: ByteArray): LabReportWebhook = translated { parseWebhookLabReport(body) }

    /** A nutrition record. */
    fun nutrition(body: ByteArray): NutritionWebhook = translated { parseWebhookNutrition(body) }
}
