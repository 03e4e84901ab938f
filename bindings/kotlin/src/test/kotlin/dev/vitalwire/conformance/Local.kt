package dev.vitalwire.conformance

import dev.vitalwire.ConsentRedirect
import dev.vitalwire.conformance.generated.namesProviderSlug
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive

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
