package dev.vitalwire.conformance

import dev.vitalwire.Attempt
import dev.vitalwire.AttemptListener
import dev.vitalwire.ErrorKind
import dev.vitalwire.Spelling
import dev.vitalwire.VitalwireClient
import dev.vitalwire.VitalwireException
import dev.vitalwire.WaitCancelledException
import dev.vitalwire.WaitOptions
import dev.vitalwire.conformance.generated.analysedRecord
import dev.vitalwire.conformance.generated.calls
import dev.vitalwire.conformance.generated.problemDetails
import dev.vitalwire.conformance.generated.splits
import dev.vitalwire.conformance.generated.waits
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.withTimeoutOrNull
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
import kotlinx.serialization.json.long
import java.util.Collections
import java.util.concurrent.atomic.AtomicReference

/** Pause between calls in sequence, in milliseconds. */
private const val PAUSE = 200L

/** A function that makes the call of an operation. */
internal typealias Call = suspend (VitalwireClient, Arguments) -> Outcome

/** The report of a case. [reportedAttempts] has the attempts reported to the client's listener; null if the case has none. */
internal class CaseReport(
    private val outcome: JsonElement,
    private val texts: Collection<String>,
    private val reportedAttempts: List<JsonObject>? = null,
) {
    fun toJson() = outcome("outcome" to outcome, "texts" to JsonArray(texts.map(::JsonPrimitive)),
        "reported_attempts" to reportedAttempts?.let(::JsonArray))
}

internal suspend fun play(case: JsonObject): CaseReport {
    val texts = Collections.synchronizedSet(mutableSetOf<String>())
    val (kind, call) = case.getValue("call").jsonObject.entries.single()
    val settings = case.getValue("client").jsonObject
    val reportedAttempts = if ("on_attempt" in settings) Collections.synchronizedList(mutableListOf<JsonObject>()) else null
    val outcome = try {
        when (kind) {
            "operation", "wait", "split", "in_row", "nights", "sync" -> {
                val listener = reportedAttempts?.let { AttemptListener { attempt -> it += describeAttempt(attempt, texts) } }
                client(settings, listener).use { client ->
                    texts += "$client"
                    when (kind) {
                        "in_row" -> playInSequence(client, call.jsonArray, texts)
                        "nights" -> describe(nights(client, call.jsonObject), texts)
                        "sync" -> playSyncs(call.jsonArray, texts) { path -> path?.let { clientBelow(settings, it) } ?: client }
                        else -> playOperation(client, call.jsonObject, kind, texts)
                    }
                }
            }
            "redirect" -> playLocally(texts) { redirect(call.jsonObject, it) }
            "webhook" -> playLocally(texts, { skipped(skippedItems(call.jsonObject), it) }) { webhook(call.jsonObject, it) }
            else -> throw Unsupported(kind)
        }
    } catch (error: VitalwireException) {
        describeFailure(error, texts)
    } catch (error: Unsupported) {
        outcome("unsupported" to JsonPrimitive(error.what))
    } catch (error: Throwable) {
        // All documented errors are of `VitalwireException`. Any other exception becomes the outcome, which fails the case.
        texts += error.stackTraceToString()
        outcome("raised" to JsonPrimitive(error.javaClass.name))
    }
    return CaseReport(outcome, texts, reportedAttempts)
}

/** Describes an attempt, as reported to a listener. */
private fun describeAttempt(attempt: Attempt, texts: MutableSet<String>): JsonObject {
    texts += "$attempt"
    return outcome(
        "operation" to JsonPrimitive(attempt.operation),
        "http_method" to JsonPrimitive(attempt.httpMethod),
        "path_template" to JsonPrimitive(attempt.pathTemplate),
        "attempt" to JsonPrimitive(attempt.attempt),
        "status" to attempt.status?.let(::JsonPrimitive),
        "error" to attempt.error?.let { JsonPrimitive("$it") },
        "next_delay_ms" to attempt.nextDelay?.let { JsonPrimitive(it.inWholeMilliseconds) },
        "request_id" to attempt.requestId?.let(::JsonPrimitive),
    )
}

/** Plays a case that needs no server, such as parsing a value. */
private suspend fun playLocally(
    texts: MutableSet<String>,
    readSkipped: (Reading) -> JsonElement? = { null },
    read: suspend (Reading) -> JsonElement,
): JsonObject {
    val reading = Reading()
    val value = read(reading)
    val skipped = readSkipped(reading)
    texts += reading.texts
    return outcome("value" to value, "basis" to reading.basis?.let(::JsonPrimitive), "skipped_items" to skipped)
}

/** Plays the call, wait or range of one operation. Repeats it concurrently or cancels it if the case says so. */
private suspend fun playOperation(client: VitalwireClient, call: JsonObject, kind: String, texts: MutableSet<String>): JsonObject {
    val given = call["options"]?.jsonObject ?: JsonObject(emptyMap())
    val times = given["at_once"]?.jsonPrimitive?.int ?: 1
    val wait = if (kind == "wait") waitOptions(call) else WaitOptions.DEFAULT
    val arguments = Arguments(call["arguments"]?.jsonObject ?: JsonObject(emptyMap()), options(given), wait, RangePlan(call))
    val id = Conversions.text(call.getValue("id"))
    val table = when (kind) {
        "wait" -> waits
        "split" -> splits
        else -> calls
    }
    val send = table[id] ?: throw Unsupported("the operation $id")
    // The last known state of a cancelled wait, because a cancelled coroutine returns no value.
    val known = AtomicReference<JsonObject>()
    val all = suspend { coroutineScope { List(times) { async { playOnce(send, client, arguments, texts, known) } }.awaitAll() } }
    given["close_after_ms"]?.jsonPrimitive?.long?.let { after ->
        val ends = given["close_ends"]?.jsonPrimitive?.boolean ?: false
        if (after == 0L) client.close(ends)
        return coroutineScope {
            val played = async { mergeEqual(all()) }
            delay(after)
            client.close(ends)
            played.await()
        }
    }
    val cancelled = given["cancel_after_ms"]?.jsonPrimitive?.long ?: return mergeEqual(all())
    // A cancelled coroutine throws Kotlin's `CancellationException`, which has no error code.
    return withTimeoutOrNull(cancelled) { mergeEqual(all()) }
        ?: known.get()
        ?: outcome("error" to JsonPrimitive("${ErrorKind.CANCELLED}"), "code" to JsonPrimitive(ErrorKind.CANCELLED.code))
}

/** Makes calls in sequence, with pauses, so that a call can reuse the connection of the previous one. */
private suspend fun playInSequence(client: VitalwireClient, calls: JsonArray, texts: MutableSet<String>): JsonObject {
    val outcomes = calls.mapIndexed { number, call ->
        if (number > 0) delay(PAUSE)
        playOperation(client, call.jsonObject, "operation", texts)
    }
    return outcome("in_row" to JsonArray(outcomes))
}

private suspend fun playOnce(
    send: Call,
    client: VitalwireClient,
    arguments: Arguments,
    texts: MutableSet<String>,
    known: AtomicReference<JsonObject>,
): JsonObject =
    try {
        describe(send(client, arguments), texts)
    } catch (error: VitalwireException) {
        describeFailure(error, texts)
    } catch (error: WaitCancelledException) {
        texts += listOf("$error", error.stackTraceToString())
        error.failure?.let { known.set(describeFailure(it, texts)) }
        throw error
    }

private fun describe(response: Outcome, texts: MutableSet<String>): JsonObject {
    texts += response.texts
    return outcome(
        "value" to response.value,
        "attempts" to JsonPrimitive(response.attempts),
        "request_id" to response.requestId?.let(::JsonPrimitive),
        "basis" to response.basis?.let(::JsonPrimitive),
        "failed_parts" to response.failedParts,
        "skipped_items" to response.skippedItems,
        "body" to response.body?.let(::hex),
    )
}

internal fun describeFailure(error: VitalwireException, texts: MutableSet<String>): JsonObject {
    texts += listOf("$error", "${error.message}", error.stackTraceToString(), "${error.problem}", "${error.lastRecord}")
    check(error.javaClass.simpleName.equals("${error.kind}".replace("_", ""), ignoreCase = true)) { "an exception of another kind" }
    return outcome(
        "error" to JsonPrimitive("${error.kind}"),
        "code" to JsonPrimitive(error.code),
        "status" to error.status?.let(::JsonPrimitive),
        "problem" to error.problem?.let { problemDetails(it, Reading()) },
        "retry_after_ms" to error.retryAfter?.let { JsonPrimitive(it.inWholeMilliseconds) },
        "request_id" to error.requestId?.let(::JsonPrimitive),
        "attempts" to JsonPrimitive(error.attempts),
        "is_transient" to JsonPrimitive(error.isTransient),
        "path_template" to error.pathTemplate?.let(::JsonPrimitive),
        "may_have_taken_effect" to JsonPrimitive(true).takeIf { error.mayHaveTakenEffect },
        "record_id" to error.recordId?.let(::JsonPrimitive),
        "argument" to specifiedArgument(error)?.let(::JsonPrimitive),
        "json_path" to error.jsonPath?.let(::JsonPrimitive),
        "body" to error.body?.let(::hex),
        "last" to error.lastRecord?.let { analysedRecord(it, Reading()) },
    )
}

/** Returns the rejected argument by its name in the specification, which the cases have. */
private fun specifiedArgument(error: VitalwireException): String? {
    val name = error.argument ?: return null
    val words = name.replace(Regex("[A-Z]")) { "_${it.value.lowercase()}" }
    val inPath = Regex("""\{(\w+)}""").findAll(error.pathTemplate.orEmpty()).map { it.groupValues[1] }
    return (inPath + "${words}_timestamp" + words).firstOrNull { Spelling.argument(it) == name } ?: name
}

/** Writes a body in hexadecimal. */
private fun hex(body: ByteArray) = JsonPrimitive(body.joinToString("") { "%02x".format(it) })

/** Merges equal outcomes into one; returns a list of all outcomes if they differ. */
private fun mergeEqual(outcomes: List<JsonObject>): JsonObject {
    // Calls with a common retry budget may differ in their number of attempts.
    val alike = if (outcomes.distinct().size == 1) outcomes else outcomes.map { JsonObject(it - "attempts") }
    return alike.distinct().singleOrNull() ?: outcome("several" to JsonArray(alike))
}

private fun outcome(vararg members: Pair<String, JsonElement?>) = buildJsonObject {
    members.forEach { (name, value) -> if (value != null) put(name, value) }
}
