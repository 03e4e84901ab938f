// The conformance runner in Kotlin: plays the cases of the judge on the package and posts their outcomes.
// See `tests/conformance/README.md`. Code for operations and records is generated, in `generated`.
package dev.vitalwire.conformance

import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.sync.Semaphore
import kotlinx.coroutines.sync.withPermit
import kotlinx.coroutines.withTimeoutOrNull
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlin.system.exitProcess

/** Maximum number of concurrent cases, and of concurrent cases with a timeout. A busy machine would miss more timeouts. */
private const val AT_ONCE = 16
private const val TIMED_AT_ONCE = 8

/** Settings and call options that depend on time. */
private val TIMED = setOf("timeout_scale", "total_ms", "attempt_ms", "connect_ms", "cancel_after_ms", "close_after_ms", "timeout_ms")

/** Maximum duration of a case, in milliseconds. A case without an outcome by then fails. */
private const val LIMIT = 60_000L

/** Scope of the cases, apart from the coroutines that wait for them. A case that hangs therefore blocks no other case. */
private val beside = CoroutineScope(SupervisorJob() + Dispatchers.IO)

private fun isTimed(case: JsonObject): Boolean {
    val call = case.getValue("call").jsonObject.values.single()
    val calls = (call as? JsonArray)?.map { it.jsonObject } ?: listOf(call.jsonObject)
    val settings = case.getValue("client").jsonObject.keys
    return calls.any { one -> (settings + one.keys + one["options"]?.jsonObject?.keys.orEmpty()).any { it in TIMED } }
}

private suspend fun playCase(case: JsonObject) {
    val turn = beside.async { play(case) }
    val played = withTimeoutOrNull(LIMIT) { turn.await() } ?: CaseReport(JsonNull, emptyList()).also { turn.cancel() }
    Judge.outcome(Conversions.text(case.getValue("id")), played.toJson())
}

private suspend fun playConcurrently(cases: List<JsonObject>, atOnce: Int) = coroutineScope {
    val places = Semaphore(atOnce)
    cases.map { async(Dispatchers.IO) { places.withPermit { playCase(it) } } }.awaitAll()
}

fun main() {
    val status = runCatching {
        val lines = Log().use { log ->
            runBlocking {
                val (timed, others) = Judge.plan().jsonArray.map { it.jsonObject }.partition(::isTimed)
                playConcurrently(others, AT_ONCE)
                playConcurrently(timed, TIMED_AT_ONCE)
            }
            log.lines()
        }
        runBlocking { Judge.texts(JsonArray(lines.map(::JsonPrimitive))) }
    }
    status.exceptionOrNull()?.printStackTrace()
    // Exit even if a call hangs.
    exitProcess(if (status.isSuccess) 0 else 1)
}
