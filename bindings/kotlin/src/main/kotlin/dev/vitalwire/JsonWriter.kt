package dev.vitalwire

import java.time.Instant
import java.time.LocalDate
import java.util.Base64

/** A JSON text, written unchanged. */
internal class JsonText(val text: String)

/** Writes records in the JSON format of the service. */
internal class JsonWriter {
    private val text = StringBuilder()

    /** Writes a field of an object. Null writes nothing. */
    fun member(name: String, value: Any?) {
        if (value != null) begin(name).value(value)
    }

    /** Writes a field with the value null. */
    fun isNull(name: String) {
        begin(name).text.append("null")
    }

    /** Writes the unknown fields of a record. */
    fun rest(extra: Map<String, String>): Unit = extra.forEach { (name, value) -> member(name, JsonText(value)) }

    private fun begin(name: String): JsonWriter {
        if (!text.endsWith('{')) text.append(',')
        quoted(name)
        text.append(':')
        return this
    }

    /** Writes a value of any type that records have. */
    fun value(value: Any): JsonWriter {
        when (value) {
            is ServiceRecord -> members { value.writeTo(this) }
            is NumberMap<*> -> members { value.writeTo(this) }
            is SeriesMap<*> -> members { value.writeTo(this) }
            is JsonText -> text.append(value.text)
            is OpenSet -> quoted(value.text)
            // JSON has neither NaN nor infinity.
            is Double -> text.append(if (value.isFinite()) value else "null")
            is List<*> -> value.forEachIndexed { at, item ->
                text.append(if (at == 0) '[' else ',')
                value(item ?: JsonText("null"))
            }.also { text.append(if (value.isEmpty()) "[]" else "]") }
            is Boolean, is Long -> text.append(value)
            is ByteArray -> quoted(Base64.getEncoder().encodeToString(value))
            is Instant, is LocalDate, is String -> quoted(value.toString())
            else -> error("a record has no values of this type")
        }
        return this
    }

    private inline fun members(write: () -> Unit) {
        text.append('{')
        write()
        text.append('}')
    }

    private fun quoted(value: String) {
        text.append('"')
        for (letter in value) {
            when {
                letter == '"' || letter == '\\' -> text.append('\\').append(letter)
                letter < ' ' -> text.append("\\u%04x".format(letter.code))
                else -> text.append(letter)
            }
        }
        text.append('"')
    }

    override fun toString(): String = text.toString()
}
