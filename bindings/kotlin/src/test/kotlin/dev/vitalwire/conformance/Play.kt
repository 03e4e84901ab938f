package dev.vitalwire.conformance

import dev.vitalwire.VitalwireClient
import dev.vitalwire.VitalwireException
import dev.vitalwire.WaitCancelledException
import dev.vitalwire.conformance.generated.calls
import dev.vitalwire.conformance.generated.problemDetails
import dev.vitalwire.conformance.generated.waitedRecord
import dev.vitalwire.conformance.generated.waits
import dev.vitalwire.ffi.Attempt
import dev.vitalwire.ffi.ErrorInfo
import dev.vitalwire.ffi.ErrorKind
import dev.vitalwire.ffi.WaitOptions
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

/** Between calls in a row, in milliseconds. */
private const val PAUSE = 200L

/** An operation's call. */
internal typealias Call = suspend (VitalwireClient, Arguments) -> Answered

/** What is posted of a case; [told] is what the client's hook was told, where the case has one. */
internal class Played(private val outcome: JsonElement, private val texts: Collection<String>, private val told: List<JsonObject>? = null) {
    fun toJson() = outcome("outcome" to outcome, "texts" to JsonArray(texts.map(::JsonPrimitive)), "told" to told?.let(::JsonArray))
}

/** Plays a case. */
internal suspend fun play(case: JsonObject): Played {
    val texts = Collections.synchronizedSet(mutableSetOf<String>())
    val (kind, call) = case.getValue("call").jsonObject.entries.single()
    val settings = case.getValue("client").jsonObject
    val told = if ("on_attempt" in settings) Collections.synchronizedList(mutableListOf<JsonObject>()) else null
    val outcome = try {
        when (kind) {
            "operation", "wait", "in_row" -> client(settings, told?.let { { attempt -> it += seen(attempt, texts) } }).use { client ->
                texts += "$client"
                if (kind == "in_row") inRow(client, call.jsonArray, texts) else operation(client, call.jsonObject, kind == "wait", texts)
            }
            "redirect" -> local(texts) { redirect(call.jsonObject, it) }
            else -> throw Unsupported(kind)
        }
    } catch (error: VitalwireException) {
        failure(error, texts)
    } catch (error: Unsupported) {
        outcome("unsupported" to JsonPrimitive(error.what))
    } catch (error: Throwable) {
        // Kotlin promises errors of one type: any other is the case's outcome, and no case expects it.
        texts += error.stackTraceToString()
        outcome("raised" to JsonPrimitive(error.javaClass.name))
    }
    return Played(outcome, texts, told)
}

/** An attempt, as a client's hook is told of it. */
private fun seen(attempt: Attempt, texts: MutableSet<String>): JsonObject {
    texts += listOf("$attempt", attempt.text)
    return outcome(
        "operation" to JsonPrimitive(attempt.operation),
        "http_method" to JsonPrimitive(attempt.httpMethod),
        "path_template" to JsonPrimitive(attempt.pathTemplate),
        "attempt" to JsonPrimitive(attempt.attempt.toLong()),
        "status" to attempt.status?.let { JsonPrimitive(it.toInt()) },
        "error" to attempt.error?.let { JsonPrimitive(name(it)) },
        "next_delay_ms" to attempt.nextDelayMs?.let { JsonPrimitive(it.toLong()) },
        "request_id" to attempt.requestId?.let(::JsonPrimitive),
    )
}

/** What needs no server. */
private fun local(texts: MutableSet<String>, read: (Reading) -> JsonElement): JsonObject {
    val reading = Reading()
    val value = read(reading)
    texts += reading.texts
    return outcome("value" to value, "basis" to reading.basis?.let(::JsonPrimitive))
}

/** One operation, waited for or not, as often at once as the case asks, cancelled when it asks. */
private suspend fun operation(client: VitalwireClient, call: JsonObject, isWaitedFor: Boolean, texts: MutableSet<String>): JsonObject {
    val given = call["options"]?.jsonObject ?: JsonObject(emptyMap())
    val times = given["at_once"]?.jsonPrimitive?.int ?: 1
    val wait = if (isWaitedFor) waiting(call) else WaitOptions()
    val arguments = Arguments(call["arguments"]?.jsonObject ?: JsonObject(emptyMap()), options(given), wait)
    val id = Taken.text(call.getValue("id"))
    val send = (if (isWaitedFor) waits else calls)[id] ?: throw Unsupported("the operation $id")
    // What a cancelled wait knew: a cancelled coroutine gives no value.
    val known = AtomicReference<JsonObject>()
    val all = suspend { coroutineScope { List(times) { async { one(send, client, arguments, texts, known) } }.awaitAll() } }
    given["close_after_ms"]?.jsonPrimitive?.long?.let { after ->
        val ends = given["close_ends"]?.jsonPrimitive?.boolean ?: false
        if (after == 0L) client.close(ends)
        return coroutineScope {
            val played = async { same(all()) }
            delay(after)
            client.close(ends)
            played.await()
        }
    }
    val cancelled = given["cancel_after_ms"]?.jsonPrimitive?.long ?: return same(all())
    // Cancelling the coroutine is how a call is cancelled; the exception of that is Kotlin's own and has no number.
    return withTimeoutOrNull(cancelled) { same(all()) }
        ?: known.get()
        ?: outcome("error" to JsonPrimitive(name(ErrorKind.CANCELLED)), "code" to JsonPrimitive(ErrorKind.CANCELLED.value.toInt()))
}

/** Operations one after the other, with a moment between in which a connection is free again. */
private suspend fun inRow(client: VitalwireClient, calls: JsonArray, texts: MutableSet<String>): JsonObject {
    val outcomes = calls.mapIndexed { number, call ->
        if (number > 0) delay(PAUSE)
        operation(client, call.jsonObject, false, texts)
    }
    return outcome("in_row" to JsonArray(outcomes))
}

private suspend fun one(
    send: Call,
    client: VitalwireClient,
    arguments: Arguments,
    texts: MutableSet<String>,
    known: AtomicReference<JsonObject>,
): JsonObject =
    try {
        val answer = send(client, arguments)
        texts += answer.texts
        outcome(
            "value" to answer.value,
            "attempts" to JsonPrimitive(answer.attempts.toLong()),
            "request_id" to answer.requestId?.let(::JsonPrimitive),
            "basis" to answer.basis?.let(::JsonPrimitive),
        )
    } catch (error: VitalwireException) {
        failure(error, texts)
    } catch (error: WaitCancelledException) {
        known.set(failure(error, error.info, texts))
        throw error
    }

private fun failure(error: VitalwireException, texts: MutableSet<String>) = failure(error, error.info, texts)

/** An error, by what users read of it. */
private fun failure(error: Exception, info: ErrorInfo, texts: MutableSet<String>): JsonObject {
    texts += listOf("$error", "${error.message}", error.stackTraceToString(), "$info", "${info.problem}", "${info.last}")
    return outcome(
        "error" to JsonPrimitive(name(info.kind)),
        "code" to JsonPrimitive(info.code.toInt()),
        "status" to info.status?.let { JsonPrimitive(it.toInt()) },
        "problem" to info.problem?.let { problemDetails(it, Reading()) },
        "retry_after_ms" to info.retryAfterMs?.let { JsonPrimitive(it.toLong()) },
        "request_id" to info.requestId?.let(::JsonPrimitive),
        "attempts" to JsonPrimitive(info.attempts.toLong()),
        "is_transient" to JsonPrimitive(info.isTransient),
        "path_template" to info.pathTemplate?.let(::JsonPrimitive),
        "may_have_taken_effect" to JsonPrimitive(true).takeIf { info.mayHaveTakenEffect },
        "record_id" to info.recordId?.let(::JsonPrimitive),
        "argument" to info.argument?.let(::JsonPrimitive),
        "place" to info.place?.let(::JsonPrimitive),
        "last" to info.last?.let { waitedRecord(it, Reading()) },
    )
}

private fun name(kind: ErrorKind) = kind.name.lowercase()

/** One outcome where all are the same; else each of them. */
private fun same(outcomes: List<JsonObject>): JsonObject {
    // Calls that share a budget of retries may have different shares of it.
    val alike = if (outcomes.distinct().size == 1) outcomes else outcomes.map { JsonObject(it - "attempts") }
    return alike.distinct().singleOrNull() ?: outcome("several" to JsonArray(alike))
}

private fun outcome(vararg members: Pair<String, JsonElement?>) = buildJsonObject {
    members.forEach { (name, value) -> if (value != null) put(name, value) }
}
