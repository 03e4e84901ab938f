package dev.vitalwire.server

import dev.vitalwire.LabReportWebhook
import dev.vitalwire.NutritionWebhook
import dev.vitalwire.SkippedItem
import dev.vitalwire.VitalwireException
import dev.vitalwire.WebhookEvent
import dev.vitalwire.server.ffi.ServerWebhookKind
import dev.vitalwire.server.ffi.serverContentKey
import dev.vitalwire.server.ffi.serverDetectKind
import dev.vitalwire.server.ffi.serverParseEvents
import dev.vitalwire.server.ffi.serverParseLabReport
import dev.vitalwire.server.ffi.serverParseNutrition
import dev.vitalwire.server.ffi.serverSignWebhook
import dev.vitalwire.server.ffi.serverSkippedItems
import dev.vitalwire.toKotlin
import dev.vitalwire.translateErrors

/** Kind of a webhook body. */
public enum class WebhookKind(internal val native: ServerWebhookKind) {
    /** A list of events. Parse it with [Webhooks.parseEvents]. */
    EVENTS(ServerWebhookKind.EVENTS),

    /** A lab report. Parse it with [Webhooks.parseLabReport]. */
    LAB_REPORT(ServerWebhookKind.LAB_REPORT),

    /** A nutrition record. Parse it with [Webhooks.parseNutrition]. */
    NUTRITION(ServerWebhookKind.NUTRITION),
}

/**
 * Parses webhooks and detects repeated deliveries. Verify a body with [WebhookVerifier] first: these functions do not.
 *
 * A signature contains no time, so an old body stays valid. The service retries a delivery up to 10 times, until the response has status
 * 200 within 30 seconds. Store the [contentKey] of each body that you processed. If the key of a body is already stored, respond with
 * status 200 and do not process the body again.
 */
public object Webhooks {
    /** Name of the header with the signature. */
    public const val SIGNATURE_HEADER: String = "X-Body-Signature"

    /** Default of the maximum size of a body: 32 MiB. */
    public const val DEFAULT_BODY_LIMIT: Long = 32L * 1024 * 1024

    /**
     * Parses a body of the main webhook: a list of events, which may concern several users.
     *
     * @throws VitalwireException of kind `decode` if the body is not a list of events.
     */
    @JvmStatic
    @Throws(VitalwireException::class)
    public fun parseEvents(body: ByteArray): List<WebhookEvent> = translateErrors { serverParseEvents(body).map { it.toKotlin() } }

    /**
     * Parses a body of the lab report webhook.
     *
     * @throws VitalwireException of kind `decode` if the body is not a lab report.
     */
    @JvmStatic
    @Throws(VitalwireException::class)
    public fun parseLabReport(body: ByteArray): LabReportWebhook = translateErrors { serverParseLabReport(body).toKotlin() }

    /**
     * Parses a body of the nutrition webhook. The basis of its numbers is unknown.
     *
     * @throws VitalwireException of kind `decode` if the body is not a nutrition record.
     */
    @JvmStatic
    @Throws(VitalwireException::class)
    public fun parseNutrition(body: ByteArray): NutritionWebhook = translateErrors { serverParseNutrition(body).toKotlin() }

    /**
     * Guesses the kind of a body from its fields. Returns null if the fields are ambiguous: a lab report and a nutrition record with only
     * an id, a status and times look the same. Prefer a URL for each kind.
     */
    @JvmStatic
    public fun detectKind(body: ByteArray): WebhookKind? = translateErrors { serverDetectKind(body) }?.let { native ->
        WebhookKind.entries.first { it.native == native }
    }

    /**
     * Returns the list items that cannot be parsed, which parsing a body of this kind leaves out.
     *
     * @throws VitalwireException of kind `decode` if the body cannot be parsed.
     */
    @JvmStatic
    @Throws(VitalwireException::class)
    public fun skippedItems(body: ByteArray, kind: WebhookKind): List<SkippedItem> =
        translateErrors { serverSkippedItems(body, kind.native).map { SkippedItem(it.jsonPath, it.reason, it.json) } }

    /**
     * Computes a key to recognise a repeated body: SHA-256 of its canonical JSON, as 64 hex digits. White space, escapes and the order of
     * fields make no difference. The key is derived from health data: protect it like the data.
     */
    @JvmStatic
    public fun contentKey(body: ByteArray): String = translateErrors { serverContentKey(body) }

    /** Signs a body as the service does, for tests of a receiver. Returns the value of the header, in lower-case hex. */
    @JvmStatic
    @Throws(VitalwireException::class)
    public fun sign(body: ByteArray, key: ByteArray): String = translateErrors { serverSignWebhook(body, key) }
}
