package dev.vitalwire.conformance

import dev.vitalwire.WebhookVerifier
import dev.vitalwire.Webhooks
import dev.vitalwire.conformance.generated.labReportWebhook
import dev.vitalwire.conformance.generated.namesProviderSlug
import dev.vitalwire.conformance.generated.nutritionWebhook
import dev.vitalwire.conformance.generated.webhookEvent
import dev.vitalwire.ffi.ConsentReturn
import dev.vitalwire.ffi.ProviderSlug
import dev.vitalwire.parse
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject

// What needs no server.

/** A webhook's body, verified where the case has a signature, and read. */
internal fun webhook(given: JsonObject, reading: Reading): JsonElement = when (val kind = Taken.text(given.getValue("kind"))) {
    "events" -> Canonical.many(::webhookEvent)(read(given, Webhooks::events, WebhookVerifier::events), reading)
    "lab_report" -> labReportWebhook(read(given, Webhooks::labReport, WebhookVerifier::labReport), reading)
    "nutrition" -> nutritionWebhook(read(given, Webhooks::nutrition, WebhookVerifier::nutrition), reading)
    else -> throw Unsupported("a webhook of $kind")
}

private fun <T> read(given: JsonObject, plain: (ByteArray) -> T, verified: (WebhookVerifier, ByteArray, String) -> T): T {
    val body = Taken.bytes(given.getValue("body").jsonObject.getValue("base64"))
    val signature = given["signature"]?.takeIf { it != JsonNull } ?: return plain(body)
    val keys = given["keys"]?.jsonArray.orEmpty().map { Taken.text(it).toByteArray() }
    return WebhookVerifier(keys).use { verified(it, body, Taken.text(signature)) }
}

/** A return from the consent flow: texts by their names; one that comes several times is a list. */
internal fun redirect(given: JsonObject, reading: Reading): JsonElement {
    val back = ConsentReturn.parse(Taken.text(given.getValue("url")), given["expected_state"]?.takeIf { it != JsonNull }?.let(Taken::text))
    reading.texts += listOf("$back", "${back.extra}")
    val provider = back.providerSlug?.let { Canonical.named(namesProviderSlug, ProviderSlug::text)(it, reading) }
    val known = listOf("user_id" to back.userId, "state" to back.state, "error" to back.failure).map { (name, text) -> name to text?.let(::JsonPrimitive) }
    val all = known + ("provider_slug" to provider) + back.extra.map { it.name to JsonPrimitive(it.value) }
    val found = all.mapNotNull { (name, value) -> value?.let { name to it } }.groupBy({ it.first }, { it.second })
    return JsonObject(found.mapValues { (_, values) -> values.singleOrNull() ?: JsonArray(values) })
}
