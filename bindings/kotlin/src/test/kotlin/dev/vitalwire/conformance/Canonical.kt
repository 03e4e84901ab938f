package dev.vitalwire.conformance

import dev.vitalwire.NumberMap
import dev.vitalwire.OpenSet
import dev.vitalwire.Response
import dev.vitalwire.Series
import dev.vitalwire.SeriesMap
import dev.vitalwire.SkippedItem
import java.time.Instant
import java.time.LocalDate
import java.time.ZoneOffset
import java.util.Base64
import kotlin.math.abs
import kotlin.time.Duration
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive

/** Converts a value to canonical JSON. */
internal typealias Form<T> = (T, Reading) -> JsonElement

/** Collector of the bases of numbers and the `toString` texts of records in one response. */
internal class Reading {
    val bases = mutableSetOf<String>()
    val texts = mutableSetOf<String>()

    /** The basis of the numbers: `mixed` if there are several, null if no number has a basis. */
    val basis get() = if (bases.size > 1) "mixed" else bases.singleOrNull()
}

internal class Outcome(
    val value: JsonElement,
    val attempts: Int,
    val requestId: String?,
    val basis: String?,
    val texts: Set<String>,
    val failedParts: JsonElement? = null,
    val skippedItems: JsonElement? = null,
    val body: ByteArray? = null,
)

/** Converts a response with a value to its outcome. */
internal fun <T> single(response: Response<T>, form: Form<T>): Outcome {
    val reading = Reading()
    val value = form(response.value, reading)
    reading.texts += "$response"
    val skipped = skipped(response.skippedItems, reading)
    return Outcome(
        value, response.attempts, response.requestId, reading.basis, reading.texts, skippedItems = skipped, body = response.body,
    )
}

/** Converts skipped list items to canonical JSON. */
internal fun skipped(items: List<SkippedItem>, reading: Reading): JsonArray {
    reading.texts += items.map { "$it" }
    return JsonArray(
        items.map {
            val texts = mapOf("json_path" to it.jsonPath, "reason" to it.reason, "json" to it.json)
            JsonObject(texts.mapValues { (_, text) -> JsonPrimitive(text) })
        },
    )
}

internal fun nothing(response: Response<Unit>): Outcome = single(response) { _, _ -> JsonNull }

/** Collects the canonical fields of a record by wire name. Checks that a record built from the same values is equal. */
internal class Members(record: Any, built: Any, private val reading: Reading) {
    private val members = mutableMapOf<String, JsonElement>()

    init {
        reading.texts += "$record"
        same(record, built)
    }

    fun <T> required(name: String, value: T, form: Form<T>) {
        members[name] = form(value, reading)
    }

    /** Adds an optional field, unless it is absent. */
    fun <T : Any> optional(name: String, value: T?, form: Form<T>) {
        if (value != null) required(name, value, form)
    }

    /** Adds a field that may be absent, null or a list. */
    fun <T : Any> list(name: String, value: T?, isNull: Boolean, form: Form<T>) {
        if (isNull) members[name] = if (value == null) JsonNull else JsonPrimitive("null and a list")
        else optional(name, value, form)
    }

    /** Returns all fields, including unknown ones. */
    fun finish(extra: Map<String, String>): JsonElement = JsonObject(members + Canonical.extra(extra, reading))
}

/** Checks that two records are equal. */
private fun same(one: Any, other: Any) =
    check(one == other && one.hashCode() == other.hashCode()) { "what is built of a record's values is another" }

/** A known name of a number map. Its number can be read by a constant and by a property. */
internal class Known<M>(val wire: String, val byConstant: (M) -> Double?, val byProperty: (M) -> Double?)

/** Canonical JSON (see `tests/conformance/README.md`) of values that users read. */
@Suppress("UNUSED_PARAMETER")
internal object Canonical {
    /** Writes texts and ids. */
    fun text(value: String, reading: Reading): JsonElement = JsonPrimitive(value)

    fun boolean(value: Boolean, reading: Reading): JsonElement = JsonPrimitive(value)

    /** Writes an integer with all its digits. */
    fun integer(value: Long, reading: Reading): JsonElement = JsonPrimitive(value)

    fun number(value: Double, reading: Reading): JsonElement = number(value)

    /** Writes an instant in UTC, without trailing zeros in the fraction. */
    fun instant(value: Instant, reading: Reading): JsonElement {
        val at = value.atOffset(ZoneOffset.UTC)
        val whole = "%04d-%02d-%02dT%02d:%02d:%02d".format(at.year, at.monthValue, at.dayOfMonth, at.hour, at.minute, at.second)
        return JsonPrimitive("$whole.%09d".format(at.nano).trimEnd('0').trimEnd('.') + "Z")
    }

    fun date(value: LocalDate, reading: Reading): JsonElement = JsonPrimitive("$value")

    fun milliseconds(value: Duration, reading: Reading): JsonElement = JsonPrimitive(value.inWholeMilliseconds)

    fun bytes(value: ByteArray, reading: Reading): JsonElement = JsonPrimitive(Base64.getEncoder().encodeToString(value))

    /** Writes a value of any type from its text. Leaves text with an unpaired surrogate unparsed, because UTF-8 cannot express it. */
    fun json(value: String, reading: Reading): JsonElement {
        val parsed = Json.parseToJsonElement(value)
        val text = (parsed as? JsonPrimitive)?.content.orEmpty()
        return if (Charsets.UTF_8.newEncoder().canEncode(text)) plain(parsed) else JsonPrimitive(value)
    }

    /** Writes a value of an open set: its text, marked if it is unknown. */
    fun <T : OpenSet> named(known: Map<String, T>): Form<T> = { value, reading ->
        val text = name(known, value, reading)
        if (value.isKnown) text else marked("unknown", text)
    }

    /** Returns the text of a value. If the constant of that text is another value, writes both, so that the comparison fails. */
    fun <T : OpenSet> name(known: Map<String, T>, value: T, reading: Reading): JsonElement {
        reading.texts += "$value"
        val constant = known[value.text]
        return if (constant == null || constant == value) JsonPrimitive(value.text) else strings(value.text, constant.text)
    }

    fun <T> many(form: Form<T>): Form<List<T>> = { values, reading -> JsonArray(values.map { form(it, reading) }) }

    /** Writes a series. Checks that its items, its array and its buffer are equal. */
    fun series(value: Series, reading: Reading): JsonElement {
        reading.texts += "$value"
        val ways = listOf(value.toDoubleArray().toList(), List(value.size) { value.asDoubleBuffer().get(it) }, value.toList())
        return ways.distinct().singleOrNull()?.let { JsonArray(it.map(::number)) } ?: strings(*ways.map { "$it" }.toTypedArray())
    }

    /** Writes a number map. If a known name's constant or property has another number, writes all, so that the comparison fails. */
    fun <M : NumberMap<*>> numbers(map: M, built: M, known: List<Known<M>>, reading: Reading): JsonElement {
        reading.texts += "$map"
        same(map, built)
        val values = map.values.mapKeys { it.key.text }
        val found = values.mapValues { number(it.value) }.toMutableMap()
        for (name in known) {
            val ways = listOf(values[name.wire], name.byConstant(map), name.byProperty(map))
            if (ways.distinct().size > 1) found[name.wire] = JsonArray(ways.map { if (it == null) JsonNull else number(it) })
        }
        return JsonObject(found + extra(map.extra, reading))
    }

    /** Writes a series map. If the constant of a name has another series, writes null, so that the comparison fails. */
    fun <M : SeriesMap<*>> allSeries(map: M, built: M, by: (String) -> Series?, reading: Reading): JsonElement {
        reading.texts += "$map"
        same(map, built)
        val series = map.series.mapKeys { it.key.text }
        val found = series.mapValues { (name, values) -> by(name)?.takeIf { it == values }?.let { series(it, reading) } ?: JsonNull }
        return JsonObject(found + extra(map.extra, reading))
    }

    /** Marks unknown fields. */
    fun extra(members: Map<String, String>, reading: Reading): Map<String, JsonElement> =
        members.mapValues { marked("extra", json(it.value, reading)) }

    private fun marked(mark: String, value: JsonElement): JsonElement = JsonObject(mapOf(mark to value))

    /** Writes the shortest decimal that parses to the same double. Integers have no decimal point; a gap in a series is null. */
    private fun number(value: Double): JsonElement = when {
        value.isNaN() -> JsonNull
        value == Math.rint(value) && abs(value) <= EXACT -> JsonPrimitive(value.toLong())
        else -> JsonPrimitive(value)
    }

    private fun plain(value: JsonElement): JsonElement = when (value) {
        is JsonObject -> JsonObject(value.mapValues { plain(it.value) })
        is JsonArray -> JsonArray(value.map(::plain))
        is JsonPrimitive -> {
            val isFraction = !value.isString && value.content.any { it in ".eE" } && value.content.last().isDigit()
            if (isFraction) number(value.content.toDouble()) else value
        }
    }

    private fun strings(vararg texts: String) = JsonArray(texts.map(::JsonPrimitive))

    /** Largest whole double that represents only one integer. */
    private const val EXACT = 9_007_199_254_740_992.0
}
