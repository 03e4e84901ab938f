package dev.vitalwire.conformance

import dev.vitalwire.ConsentRedirect
import dev.vitalwire.SkippedItem
import dev.vitalwire.conformance.generated.labReportWebhook
import dev.vitalwire.conformance.generated.namesProviderSlug
import dev.vitalwire.conformance.generated.nutritionWebhook
import dev.vitalwire.conformance.generated.webhookEvent
import dev.vitalwire.server.WebhookKind
import dev.vitalwire.server.WebhookVerifier
import dev.vitalwire.server.Webhooks
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject

/** Parses a consent redirect: texts by name, repeated ones as a list. */
internal suspend fun redirect(given: JsonObject, reading: Reading): JsonElement {
    val back = ConsentRedirect.parse(Conversions.text(given.getValue("url")),
        given["expected_state"]?.takeIf { it != JsonNull }?.let(Conversions::text))
    reading.texts += "$back"
    val provider = back.providerSlug?.let { Canonical.name(namesProviderSlug, it, reading) }
    val known = listOf("user_id" to back.userId, "state" to back.state, "error" to back.failure)
        .map { (name, text) -> name to text?.let(::JsonPrimitive) }
    val all = known + ("provider_slug" to provider) + back.extra.map { (name, value) -> name to JsonPrimitive(value) }
    val found = all.mapNotNull { (name, value) -> value?.let { name to it } }.groupBy({ it.first }, { it.second })
    return JsonObject(found.mapValues { (_, values) -> values.singleOrNull() ?: JsonArray(values) })
}

/** Parses a webhook body. Verifies it if it has a signature. */
internal fun webhook(given: JsonObject, reading: Reading): JsonElement {
    val body = body(given)
    val signature = given["signature"]?.let(Conversions::text)
    val keys = given["keys"]?.jsonArray.orEmpty().map(Conversions::text)
    val verifier = if (signature == null) null else WebhookVerifier(*keys.toTypedArray())
    reading.texts += "$verifier"
    return when (kind(given)) {
        WebhookKind.EVENTS ->
            Canonical.many(::webhookEvent)(verifier?.verifyAndParseEvents(body, signature) ?: Webhooks.parseEvents(body), reading)
        WebhookKind.LAB_REPORT ->
            labReportWebhook(verifier?.verifyAndParseLabReport(body, signature) ?: Webhooks.parseLabReport(body), reading)
        WebhookKind.NUTRITION ->
            nutritionWebhook(verifier?.verifyAndParseNutrition(body, signature) ?: Webhooks.parseNutrition(body), reading)
    }
}

/** Returns the list items that parsing a webhook body leaves out. */
internal fun skippedItems(given: JsonObject): List<SkippedItem> = Webhooks.skippedItems(body(given), kind(given))

private fun body(given: JsonObject) = Conversions.bytes(given.getValue("body").jsonObject.getValue("base64"))

private fun kind(given: JsonObject) = WebhookKind.valueOf(Conversions.text(given.getValue("kind")).uppercase())
