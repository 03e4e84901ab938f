package dev.vitalwire

import java.time.Instant
import java.time.LocalDate
import java.util.Base64

/** A text that is JSON already. */
internal class JsonText(val text: String)

/** Writes records as the service does. */
internal class JsonWriter {
    private val text = StringBuilder()

    /** Writes a member of an object; one that is absent is left out. */
    fun member(name: String, value: Any?) {
        if (value != null) begin(name).value(value)
    }

    /** Writes a member that is null. */
    fun isNull(name: String) {
        begin(name).text.append("null")
    }

    /** Writes members that the record does not know. */
    fun rest(extra: Map<String, String>): Unit = extra.forEach { (name, value) -> member(name, JsonText(value)) }

    private fun begin(name: String): JsonWriter {
        if (!text.endsWith('{')) text.append(',')
        quoted(name)
        text.append(':')
        return this
    }

    /** Writes a value of a record. */
    fun value(value: Any): JsonWriter {
        when (value) {
            is ServiceRecord -> members { value.writeTo(this) }
            is NumberMap<*> -> members { value.writeTo(this) }
            is SeriesMap<*> -> members { value.writeTo(this) }
            is JsonText -> text.append(value.text)
            is OpenSet -> quoted(value.text)
            // JSON has no number that is none: a gap.
            is Double -> text.append(if (value.isFinite()) value else "null")
            is List<*> -> value.forEachIndexed { at, item ->
                text.append(if (at == 0) '[' else ',')
                value(item ?: JsonText("null"))
            }.also { text.append(if (value.isEmpty()) "[]" else "]") }
            is Boolean, is Long -> text.append(value)
            is ByteArray -> quoted(Base64.getEncoder().encodeToString(value))
            is Instant, is LocalDate, is String -> quoted(value.toString())
            else -> error("no value of a record")
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
