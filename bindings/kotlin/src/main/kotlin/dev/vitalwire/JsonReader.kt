package dev.vitalwire

import java.time.DateTimeException
import java.time.Instant
import java.time.LocalDate
import java.util.Base64

/** A JSON value: its text and its parsed form. Accessors return null if the value has another type. */
internal class JsonValue(
    val raw: String,
    val members: Map<String, JsonValue>? = null,
    val items: List<JsonValue>? = null,
    val string: String? = null,
) {
    val isNull get() = raw == "null"
    val boolean get() = raw.toBooleanStrictOrNull()
    val long get() = if (string == null) raw.toLongOrNull() else null
    val double get() = if (string == null && raw.first() in "-0123456789") raw.toDoubleOrNull() else null
    val instant: Instant? get() = string?.let(InstantParser::parse)
    val date: LocalDate? get() = parsed(LocalDate::parse)
    val bytes: ByteArray? get() = string?.let { runCatching { Base64.getDecoder().decode(it) }.getOrNull() }

    /** The list of numbers, with NaN for null. Null if an item has another type: without the item, later numbers would shift. */
    val series: Series? get() {
        val numbers = items?.map { if (it.isNull) Double.NaN else it.double }
        return numbers?.takeIf { null !in it }?.let { Series.of(*it.filterNotNull().toDoubleArray()) }
    }

    /** Reads the items and leaves out items of another type. A null list is empty. */
    fun <T : Any> list(read: (JsonValue) -> T?): List<T>? = if (isNull) emptyList() else items?.mapNotNull(read)

    private fun <T> parsed(read: (String) -> T): T? = try {
        string?.let(read)
    } catch (_: DateTimeException) {
        null
    }
}

/** The fields of an object that have not been read yet. */
internal class JsonMembers(members: Map<String, JsonValue>) {
    private val left = LinkedHashMap(members)

    fun isNull(name: String): Boolean = left[name]?.isNull == true

    /** Removes and returns an optional field. Leaves a field of another type for [rest]. */
    fun <T : Any> optional(name: String, read: (JsonValue) -> T?): T? {
        val field = left[name] ?: return null
        val value = if (field.isNull) null else read(field) ?: return null
        left.remove(name)
        return value
    }

    /** Removes and returns a required field. [read] decides whether null is valid. */
    fun <T : Any> required(name: String, read: (JsonValue) -> T?): T =
        left.remove(name)?.let(read) ?: throw decodeError("$name is missing or has an unexpected type")

    /** Returns the remaining fields as JSON text by name. */
    fun rest(): Map<String, String> = left.mapValues { it.value.raw }
}

internal class JsonReader(private val text: String) {
    private var at = 0

    fun document(): JsonValue {
        val value = value(0)
        skipWhitespace()
        if (at < text.length) throw invalidJson()
        return value
    }

    private fun value(depth: Int): JsonValue {
        if (depth > MAX_DEPTH) throw decodeError("the JSON text is nested too deeply")
        skipWhitespace()
        val start = at
        return when (text.getOrNull(at)) {
            '{' -> {
                val members = LinkedHashMap<String, JsonValue>()
                each('}') {
                    skipWhitespace()
                    val name = string()
                    skipWhitespace()
                    expect(':')
                    members[name] = value(depth + 1)
                }
                JsonValue(text.substring(start, at), members = members)
            }
            '[' -> {
                val items = ArrayList<JsonValue>()
                each(']') { items += value(depth + 1) }
                JsonValue(text.substring(start, at), items = items)
            }
            '"' -> string().let { JsonValue(text.substring(start, at), string = it) }
            else -> {
                while (at < text.length && text[at] !in ",]} \t\r\n") at++
                val word = text.substring(start, at)
                if (!WORD.matches(word)) throw invalidJson()
                JsonValue(word)
            }
        }
    }

    private inline fun each(end: Char, read: () -> Unit) {
        at++
        skipWhitespace()
        if (text.getOrNull(at) == end) {
            at++
            return
        }
        while (true) {
            read()
            skipWhitespace()
            if (text.getOrNull(at) == end) break
            expect(',')
        }
        at++
    }

    private fun string(): String {
        expect('"')
        val unescaped = StringBuilder()
        while (true) {
            val letter = text.getOrNull(at++) ?: throw invalidJson()
            when {
                letter == '"' -> return unescaped.toString()
                letter < ' ' -> throw invalidJson()
                letter != '\\' -> unescaped.append(letter)
                else -> unescaped.append(escape())
            }
        }
    }

    private fun escape(): Char = when (val letter = text.getOrNull(at++)) {
        '"', '\\', '/' -> letter
        'b' -> '\b'
        'f' -> '\u000c'
        'n' -> '\n'
        'r' -> '\r'
        't' -> '\t'
        'u' -> {
            at += 4
            val digits = if (at <= text.length) text.substring(at - 4, at) else ""
            if (!HEX.matches(digits)) throw invalidJson()
            digits.toInt(16).toChar()
        }
        else -> throw invalidJson()
    }

    private fun expect(letter: Char) {
        if (text.getOrNull(at++) != letter) throw invalidJson()
    }

    private fun skipWhitespace() {
        while (at < text.length && text[at] in " \t\r\n") at++
    }

    private fun invalidJson() = decodeError("the text is not valid JSON")

    private companion object {
        /** Maximum nesting depth, the same as in the core. Records are less deeply nested, and the stack allows more. */
        const val MAX_DEPTH = 128
        val WORD = Regex("""true|false|null|-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?""")
        val HEX = Regex("[0-9a-fA-F]{4}")
    }
}

internal fun decodeError(reason: String): VitalwireException = VitalwireException.of(ErrorKind.DECODE, reason)
