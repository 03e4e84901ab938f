package dev.vitalwire

import dev.vitalwire.readme.Nights
import dev.vitalwire.readme.fake
import dev.vitalwire.readme.meal
import dev.vitalwire.readme.year
import java.io.File
import java.time.LocalDate
import java.util.Base64
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test

/** What the README shows is compiled and run: in `dev/vitalwire/readme` of both languages, word by word. */
class ReadmeTest {
    @Test
    fun `what the README shows is compiled`() {
        val folder = File(System.getProperty("package.dir"))
        val blocks = Regex("```(kotlin|java)\n(.*?)```", RegexOption.DOT_MATCHES_ALL).findAll(File(folder, "README.md").readText()).toList()
        assertEquals(listOf("kotlin", "java", "kotlin", "kotlin", "kotlin", "kotlin"), blocks.map { it.groupValues[1] })
        for (block in blocks) {
            val (language, text) = block.destructured
            val compiled = File(folder, "src/test/$language/dev/vitalwire/readme").listFiles().orEmpty().joinToString("\n") { it.readText() }
            assertTrue(plain(text) in plain(compiled), text)
        }
    }

    @Test
    fun `what the README shows runs`(): Unit = runBlocking {
        val client = VitalwireClient { answers = Answers.samples() }
        val shown = mutableListOf<Any?>()
        meal(client, Base64.getDecoder().decode(PICTURE).inputStream(), shown::add)
        assertTrue(shown.first() is String && shown.last() is NutritionRecord, "${shown.size}")
        val bars = mutableListOf<Double>()
        val saved = mutableMapOf<String, String?>()
        year(client, LocalDate.of(2025, 1, 1), saved) { _, value -> bars += value }
        assertTrue(bars.isNotEmpty())
        assertEquals(mapOf("left" to null), saved)
        assertEquals(80, Nights(fake).score("any"))
    }

    private companion object {
        const val PICTURE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    }

    /** Indents differ: what stands in a class is indented. */
    private fun plain(text: String) = text.lines().map { it.trim() }.filter { it.isNotEmpty() }.joinToString("\n")
}
