package dev.vitalwire.conformance

import dev.vitalwire.MergedRange
import dev.vitalwire.PartLength
import dev.vitalwire.RangeCall
import dev.vitalwire.RangeOptions
import dev.vitalwire.RangePart
import dev.vitalwire.VitalwireException
import kotlinx.coroutines.async
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.boolean
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.int
import kotlinx.serialization.json.jsonPrimitive

/** Time until a read is in flight, in milliseconds. The judge delays the response longer than that. */
private const val UNDER_WAY = 150L

/** Options of a range, and the way in which the case reads the range. */
internal class RangePlan(given: JsonObject) {
    val partLength: PartLength? =
        given["days"]?.let { PartLength.days(it.jsonPrimitive.int) } ?: given["hours"]?.let { PartLength.hours(it.jsonPrimitive.int) }

    val options = RangeOptions {
        concurrency = given["concurrency"]?.jsonPrimitive?.int
        collectsFailures = given["collect_errors"]?.jsonPrimitive?.boolean ?: false
    }

    /** Action to play while the parts are read one by one; null if the parts are collected. */
    private val turn: String? = given["turn"]?.let(Conversions::text)

    /** Returns the merged response, or the outcome of the reads. The number of attempts is not reported. */
    suspend fun <T> play(range: RangeCall<T>, form: Form<T>): Outcome {
        if (turn != null) return Outcome(playReadings(range, turn), 0, null, null, setOf("$range"))
        return merged(range.collectAll(), form, "$range")
    }
}

/** Converts a merged range to its outcome. [shown] is the description of its call. */
internal fun <T> merged(merged: MergedRange<T>, form: Form<T>, shown: String): Outcome {
    val reading = Reading()
    val value = form(merged.response, reading)
    reading.texts += listOf(shown, "$merged", "${merged.parts}", "${merged.failures}", "${merged.resumeToken}")
    val failed = merged.failures.map { JsonArray(listOf(JsonPrimitive(it.index), JsonPrimitive("${it.error.kind}"))) }
    val skipped = skipped(merged.skippedItems, reading)
    return Outcome(value, 0, null, reading.basis, reading.texts, failed.takeIf { it.isNotEmpty() }?.let(::JsonArray), skipped)
}

/** Reads the parts of a range one by one. If the case requires it, starts a concurrent read or closes the reader. */
private suspend fun <T> playReadings(range: RangeCall<T>, turn: String): JsonElement = coroutineScope {
    val parts = range.open()
    val read = mutableListOf<Int>()
    var ended: VitalwireException? = null
    suspend fun take(reading: suspend () -> RangePart<T>?): Boolean = try {
        reading()?.also { read += it.index } != null
    } catch (error: VitalwireException) {
        ended = error
        false
    }
    take { parts.next() }
    when (turn) {
        "second_reader", "closed_while_read" -> {
            // A failure of the concurrent read must not cancel this scope.
            val first = async { runCatching { parts.next() } }
            delay(UNDER_WAY)
            if (turn == "second_reader") take { parts.next() } else parts.close()
            take { first.await().getOrThrow() }
        }
        "closed" -> parts.close()
        "read_on" -> while (take { parts.next() }) Unit
        else -> throw Unsupported(turn)
    }
    while (take { parts.next() }) Unit
    buildJsonObject {
        put("read", JsonArray(read.map(::JsonPrimitive)))
        put("left", JsonPrimitive(parts.resumeToken?.partsLeft ?: 0))
        ended?.let {
            put("error", JsonPrimitive("${it.kind}"))
            put("code", JsonPrimitive(it.code))
        }
    }
}
