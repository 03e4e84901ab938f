package dev.vitalwire

import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import java.io.File

/** What the README shows is compiled: in `dev/vitalwire/readme` of both languages, word by word. */
class ReadmeTest {
    @Test
    fun `what the README shows is compiled`() {
        val folder = File(System.getProperty("package.dir"))
        val blocks = Regex("```(kotlin|java)\n(.*?)```", RegexOption.DOT_MATCHES_ALL).findAll(File(folder, "README.md").readText()).toList()
        assertEquals(listOf("kotlin", "java", "kotlin", "kotlin"), blocks.map { it.groupValues[1] })
        for (block in blocks) {
            val (language, text) = block.destructured
            val compiled = File(folder, "src/test/$language/dev/vitalwire/readme").listFiles().orEmpty().joinToString("\n") { it.readText() }
            assertTrue(plain(text) in plain(compiled), text)
        }
    }

    /** Indents differ: what stands in a class is indented. */
    private fun plain(text: String) = text.lines().map { it.trim() }.filter { it.isNotEmpty() }.joinToString("\n")
}
