package dev.vitalwire.server

import dev.vitalwire.ErrorKind
import dev.vitalwire.LabReportWebhook
import dev.vitalwire.NutritionWebhook
import dev.vitalwire.VitalwireException
import dev.vitalwire.WebhookEvent
import dev.vitalwire.server.ffi.ServerWebhookVerifier
import dev.vitalwire.translateErrors

/**
 * Verifies webhook signatures with one or more keys. Thread-safe.
 *
 * The comparison takes the same time for every signature. The verifier's copies of the keys are overwritten when it is closed.
 *
 * @param bodyLimit maximum size of a body, in bytes. Make your web server reject larger bodies before it reads them.
 * @throws VitalwireException of kind `configuration` if there is no key, or a key is shorter than 16 bytes, consists of zero bytes, is
 * quoted, surrounded by white space, contains a line break or begins with `Bearer `.
 */
public class WebhookVerifier @JvmOverloads @Throws(VitalwireException::class) constructor(
    keys: Collection<ByteArray>,
    bodyLimit: Long = Webhooks.DEFAULT_BODY_LIMIT,
) : AutoCloseable {
    private val native: ServerWebhookVerifier =
        translateErrors { ServerWebhookVerifier(keys.toList(), bodyLimit.coerceAtLeast(0).toULong()) }

    /**
     * Creates a verifier with the default body limit. A signature by any of the keys is valid: during a rotation, pass the new and the old
     * key. Trailing line ends of a key are removed. The caller's texts remain in memory; use bytes to overwrite them.
     */
    @Throws(VitalwireException::class)
    public constructor(vararg keys: String) : this(keys.map { it.toByteArray() })

    /**
     * Verifies a body, as received, against the value of its header [Webhooks.SIGNATURE_HEADER]; null if the request has none.
     *
     * @throws VitalwireException of kind `signature` if the signature matches no key or is missing, or of kind `too_large` if the body
     * exceeds the limit, or of kind `closed` after [close].
     */
    @Throws(VitalwireException::class)
    public fun verify(body: ByteArray, signature: String?): Unit = translateErrors {
        try {
            native.verify(body, signature)
        } catch (_: IllegalStateException) {
            // uniffi's exception for an object that was freed.
            throw VitalwireException.of(ErrorKind.CLOSED, "the verifier is closed")
        }
    }

    /**
     * Verifies a body of the main webhook, and parses it.
     *
     * @throws VitalwireException as [verify] and [Webhooks.parseEvents].
     */
    @Throws(VitalwireException::class)
    public fun verifyAndParseEvents(body: ByteArray, signature: String?): List<WebhookEvent> {
        verify(body, signature)
        return Webhooks.parseEvents(body)
    }

    /**
     * Verifies a body of the lab report webhook, and parses it.
     *
     * @throws VitalwireException as [verify] and [Webhooks.parseLabReport].
     */
    @Throws(VitalwireException::class)
    public fun verifyAndParseLabReport(body: ByteArray, signature: String?): LabReportWebhook {
        verify(body, signature)
        return Webhooks.parseLabReport(body)
    }

    /**
     * Verifies a body of the nutrition webhook, and parses it.
     *
     * @throws VitalwireException as [verify] and [Webhooks.parseNutrition].
     */
    @Throws(VitalwireException::class)
    public fun verifyAndParseNutrition(body: ByteArray, signature: String?): NutritionWebhook {
        verify(body, signature)
        return Webhooks.parseNutrition(body)
    }

    /** Overwrites the keys. The verifier must not be used any more. */
    override fun close(): Unit = native.close()

    /** Returns the type name, without the keys. */
    override fun toString(): String = "WebhookVerifier(..)"
}
