package dev.vitalwire.conformance

import dev.vitalwire.Change
import dev.vitalwire.RecordKind
import dev.vitalwire.StateException
import dev.vitalwire.SyncCall
import dev.vitalwire.SyncEvent
import dev.vitalwire.SyncOptions
import dev.vitalwire.SyncPart
import dev.vitalwire.VitalwireClient
import dev.vitalwire.VitalwireException
import java.time.Instant
import java.time.LocalDate
import kotlin.experimental.xor
import kotlinx.coroutines.flow.take
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.boolean
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.int
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive

/** Position of the version in a state. */
private const val VERSION = 6

/** Kinds of a webhook about changed records. */
private val WEBHOOK_KINDS = setOf(RecordKind.DAILY, RecordKind.HOURLY, RecordKind.SLEEPS, RecordKind.SLEEP_STAGES)

/** States of the last part, before and after its changes. */
private class States(val before: ByteArray, val last: ByteArray)

/** Plays syncs, each from the state of an earlier one. [client] returns the client with a path after the base URL. */
internal suspend fun playSyncs(syncs: JsonArray, texts: MutableSet<String>, client: (String?) -> VitalwireClient): JsonObject {
    var states: States? = null
    val outcomes = syncs.map { it.jsonObject }.map { given ->
        val parts = mutableListOf<JsonElement>()
        val error = try {
            val call = start(client(given["base_path"]?.let(Conversions::text)), given, states)
            texts += "$call"
            if (given["record_events"]?.jsonPrimitive?.boolean == true) {
                call.recordEvents().let { states = States(it, it) }
            } else {
                val read = given["max_parts"]?.let { call.parts.take(it.jsonPrimitive.int) } ?: call.parts
                read.collect { part ->
                    states = States(part.stateBefore, part.state)
                    parts += describe(part, given["columns"]?.jsonArray.orEmpty().map(Conversions::text), texts)
                }
            }
            null
        } catch (error: StateException) {
            texts += listOf("$error", "${error.message}", error.stackTraceToString())
            "state_error" to JsonPrimitive(error.stateReason.name.lowercase())
        } catch (error: VitalwireException) {
            "error" to describeFailure(error, texts)
        }
        JsonObject(mapOf("parts" to JsonArray(parts)) + listOfNotNull(error))
    }
    return JsonObject(mapOf("sync" to JsonArray(outcomes)))
}

private fun start(client: VitalwireClient, given: JsonObject, states: States?): SyncCall {
    val applyOptions = options(given["options"]?.jsonObject ?: JsonObject(emptyMap()))
    val options = SyncOptions {
        applyOptions(this)
        from = given["first"]?.let(Conversions::date)
        lookBack = given["look_back"]?.jsonPrimitive?.int
        events = given["events"]?.jsonArray.orEmpty().map { event(it.jsonObject) }
        given["check_account"]?.let { checkAccount = it.jsonPrimitive.boolean }
        expectAccount = given["expect_account"]?.let(Conversions::text)
    }
    val secret = Conversions.text(given.getValue("secret")).toByteArray()
    val user = Conversions.text(given.getValue("user"))
    return client.sync(kinds(given.getValue("kinds")), secret, user, state(Conversions.text(given.getValue("state")), states), options)
}

private fun event(given: JsonObject): SyncEvent {
    val (form, values) = given.entries.single().let { (form, values) -> form to values.jsonObject }
    fun text(name: String) = Conversions.text(values.getValue(name))
    return when (form) {
        "days" -> SyncEvent.of(kinds(values.getValue("kinds")), LocalDate.parse(text("first")), LocalDate.parse(text("last")))
        "webhook" -> SyncEvent.ofTimes(
            WEBHOOK_KINDS,
            Instant.parse(text("earliest_record_start_at")),
            Instant.parse(text("latest_record_end_at")),
            text("application_user_id"),
        )
        else -> throw Unsupported("an event of $form")
    }
}

private fun kinds(names: JsonElement): Set<RecordKind> =
    names.jsonArray.map { name -> RecordKind.entries.single { it.text == Conversions.text(name) } }.toSet()

/** Returns the state from which a sync starts. */
private fun state(source: String, states: States?): ByteArray? {
    fun changed(at: Int, change: (Byte) -> Byte) = states?.last?.copyOf()?.also { it[at] = change(it[at]) }
    return when (source) {
        "last" -> states?.last
        "none" -> null
        "before" -> states?.before
        "damaged" -> changed(checkNotNull(states).last.lastIndex) { it xor 1 }
        "newer_version" -> changed(VERSION) { it.inc() }
        else -> throw Unsupported("a state that is $source")
    }
}

private fun describe(part: SyncPart, columns: List<String>, texts: MutableSet<String>): JsonObject {
    texts += listOf("$part", "${part.progress}") + part.changes.map { "$it" }
    return buildJsonObject {
        put("days", JsonArray(listOf(part.days.first, part.days.last).map { JsonPrimitive("$it") }))
        put("kinds", JsonArray(part.kinds.map { JsonPrimitive(it.text) }))
        put("progress", JsonArray(listOf(part.progress.doneDays, part.progress.totalDays).map(::JsonPrimitive)))
        put("left_out", JsonPrimitive(part.leftOut))
        put("changes", JsonArray(part.changes.map { describe(it, columns) }))
    }
}

private fun describe(change: Change, columns: List<String>): JsonObject = buildJsonObject {
    put("type", JsonPrimitive(change.type.name.lowercase()))
    put("kind", JsonPrimitive(change.kind.text))
    change.id?.let { put("id", JsonPrimitive(it)) }
    change.day?.let { put("day", JsonPrimitive("$it")) }
    change.before?.let { put("before", JsonPrimitive(it)) }
    change.after?.let { put("after", JsonPrimitive(it)) }
    if (columns.isNotEmpty()) {
        val rows = change.jsonRows.map { Json.parseToJsonElement(it).jsonObject }
        put("rows", JsonArray(rows.map { row -> JsonObject(row.filterKeys { it in columns }) }))
    }
}
