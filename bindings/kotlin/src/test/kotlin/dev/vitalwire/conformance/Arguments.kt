package dev.vitalwire.conformance

import dev.vitalwire.BaseCallOptions
import dev.vitalwire.WaitOptions
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.boolean
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonPrimitive
import kotlinx.serialization.json.long
import java.time.Instant
import java.time.LocalDate
import java.time.LocalDateTime
import java.time.OffsetDateTime
import java.time.ZoneOffset
import java.util.Base64

/** A feature of a case that this binding does not support. */
internal class Unsupported(val what: String) : Exception(what)

/** Arguments of one operation: its parameters, the options of the call, the wait and the range. */
internal class Arguments(
    private val given: JsonObject,
    val applyOptions: (BaseCallOptions.Builder<*>) -> Unit,
    val wait: WaitOptions,
    val rangePlan: RangePlan,
) {
    /** Rejects arguments with other names. */
    fun checkNames(vararg names: String) {
        val unknown = given.keys - names.toSet()
        require(unknown.isEmpty()) { "there is no argument $unknown" }
    }

    fun <T> required(name: String, read: (JsonElement) -> T): T = read(requireNotNull(given[name]) { "there is no argument $name" })

    fun <T : Any> optional(name: String, read: (JsonElement) -> T): T? = given[name]?.let(read)
}

/** Conversions of arguments to the types that calls accept. */
internal object Conversions {
    /** Converts a text or an id. */
    fun text(value: JsonElement): String = value.jsonPrimitive.also { require(it.isString) { "no text" } }.content

    fun boolean(value: JsonElement): Boolean = value.jsonPrimitive.boolean

    fun integer(value: JsonElement): Long = value.jsonPrimitive.long

    /** Converts a double. NaN and infinities are texts, because JSON cannot express them. */
    fun number(value: JsonElement): Double = value.jsonPrimitive.content.toDouble()

    /** Converts an instant. Without an offset, the time is in UTC. */
    fun instant(value: JsonElement): Instant {
        val text = text(value)
        val hasOffset = text.endsWith('Z') || text.drop(DATE).any { it == '+' || it == '-' }
        val moment = if (hasOffset) OffsetDateTime.parse(text) else LocalDateTime.parse(text).atOffset(ZoneOffset.UTC)
        return moment.toInstant()
    }

    fun date(value: JsonElement): LocalDate = LocalDate.parse(text(value))

    /** Converts bytes: base64, or a number of zeros. */
    fun bytes(value: JsonElement): ByteArray {
        val text = text(value)
        return if (text.startsWith(ZEROS)) ByteArray(text.removePrefix(ZEROS).toInt()) else Base64.getDecoder().decode(text)
    }

    fun <T> list(read: (JsonElement) -> T): (JsonElement) -> List<T> = { list -> list.jsonArray.map(read) }

    /** Converts a text to a value of an open set: the constant of a known value, or a new value. */
    fun <T> openValue(known: Map<String, T>, other: (String) -> T): (JsonElement) -> T = { known[text(it)] ?: other(text(it)) }

    /** Length of a date such as `2025-01-31`. Only a hyphen after the date begins an offset. */
    private const val DATE = 10

    private const val ZEROS = "zeros:"
}
