package dev.vitalwire

import dev.vitalwire.readme.JavaNights
import dev.vitalwire.readme.Nights
import dev.vitalwire.readme.deepSleep
import dev.vitalwire.readme.fake
import dev.vitalwire.readme.lunch
import dev.vitalwire.readme.meal
import dev.vitalwire.readme.sync
import dev.vitalwire.readme.year
import dev.vitalwire.testing.Sandbox
import dev.vitalwire.testing.SandboxExtension
import java.io.ByteArrayOutputStream
import java.io.File
import java.io.PrintStream
import java.time.Duration
import java.time.LocalDate
import java.util.Base64
import java.util.concurrent.TimeUnit
import kotlin.time.toKotlinDuration
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.extension.ExtendWith

/** Checks that the code blocks of the README and the package pages equal the sources in `dev/vitalwire/readme`, and runs these sources. */
@ExtendWith(SandboxExtension::class)
class ReadmeTest {
    @Test
    fun `the code of the README and the package pages compiles`() {
        val folder = File(System.getProperty("package.dir"))
        val code = Regex("```(kotlin|java)\n(.*?)```", RegexOption.DOT_MATCHES_ALL)
        val blocks = code.findAll(File(folder, "README.md").readText()).toList()
        assertEquals(listOf("kotlin", "java") + List(7) { "kotlin" }, blocks.map { it.groupValues[1] })
        val pages = listOf("src/main/packages.md", "testing/src/main/packages.md")
            .map { page -> code.find(File(folder, page).readText())!! }
        for (block in blocks + pages) {
            val (language, text) = block.destructured
            if (block in blocks) assertTrue(text.startsWith("import "), "a block must begin with its imports: $text")
            val sources = File(folder, "src/test/$language/dev/vitalwire/readme").listFiles().orEmpty()
            val compiled = sources.joinToString("\n") { file -> file.readLines().filter { "--8<--" !in it }.joinToString("\n") }
            assertTrue(plain(text) in plain(compiled), text)
        }
    }

    @Test
    fun `the README lists all calls of every resource`() {
        val readme = File(System.getProperty("package.dir"), "README.md").readText()
        val rows = Regex("""\| `(\w+)` \| (`\w+\(.*) \|""").findAll(readme).associate { row ->
            row.groupValues[1] to Regex("""`(\w+)\(([\w, ]*)\)`""").findAll(row.groupValues[2]).map { it.groupValues[1] }.toSet()
        }
        val resources = VitalwireApi::class.java.methods.filter { it.name.startsWith("get") && it.parameterCount == 0 }
        val calls = resources.associate { resource ->
            val name = resource.name.removePrefix("get").replaceFirstChar { it.lowercase() }
            name to resource.returnType.methods.filter { '$' !in it.name }.map { it.name }.toSet()
        }
        assertEquals(calls, rows)
        assertEquals(8, rows.size)
    }

    @Test
    fun `the build file of the README has the lines of the installed application`() {
        val folder = File(System.getProperty("package.dir"))
        val block = checkNotNull(Regex("```gradle\n(.*?)```", RegexOption.DOT_MATCHES_ALL).find(File(folder, "README.md").readText()))
        val catalogue = File(folder, "installed-android/gradle/libs.versions.toml").readText()
        val versions = Regex("""(?m)^(\w+) = "(.*)"$""").findAll(catalogue).associate { it.groupValues[1] to it.groupValues[2] }
        val libraries = Regex("""(?m)^(\w+) = \{ module = "(.*)", version.ref = "(\w+)" }$""").findAll(catalogue)
        val application = libraries.fold(File(folder, "installed-android/build.gradle.kts").readText()) { text, library ->
            val (alias, module, version) = library.destructured
            text.replace("libs.$alias)", "\"$module:${versions[version]}\")")
        }
        assertTrue(plain(block.groupValues[1]) in plain(application), application)
    }

    @Test
    fun `the code of the README runs`(): Unit = runBlocking {
        val client = VitalwireClient { mockResponses = MockResponses.samples() }
        val shown = mutableListOf<Any?>()
        meal(client, Base64.getDecoder().decode(PICTURE).inputStream(), shown::add)
        assertTrue(shown.first() is String && shown.last() is NutritionRecord, "${shown.size}")
        val bars = mutableListOf<Double>()
        val tokens = mutableListOf<String?>()
        year(client, "person-1", LocalDate.of(2025, 1, 1), null) { points, token ->
            bars += points.map { it.value }
            tokens += token
        }
        assertTrue(bars.isNotEmpty())
        assertEquals(List(12) { true } + false, tokens.map { it != null })
        year(client, "person-1", LocalDate.of(2025, 1, 1), tokens[10]) { _, token -> tokens += token }
        assertEquals(15, tokens.size)
        assertEquals(80, Nights(fake).score("any"))
        // The upload may have taken effect, is not accepted now, or is rejected.
        val decisions = mutableListOf<Any?>()
        for (status in listOf(500, 429, 422)) {
            val failing = VitalwireClient {
                maxRetries = 0
                mockResponses = MockResponses().apply { add("upload_nutrition_record", MockResponse.status(status)) }
            }
            val photo = PictureUpload.of(Base64.getDecoder().decode(PICTURE))
            runCatching { lunch(failing, photo, { decisions += "retry" }) { decisions += it } }
                .onFailure { decisions += (it as VitalwireException).kind }
        }
        assertEquals(listOf(null, "retry", ErrorKind.INVALID_REQUEST), decisions)
    }

    @Test
    fun `the example of a sync keeps a copy`(sandbox: Sandbox): Unit = runBlocking {
        val copy = mutableMapOf<Pair<RecordKind, String?>, Change>()
        val secret = ByteArray(32)
        var state: ByteArray? = null
        sync(sandbox.client, secret, null, copy) { state = it }
        val counts = copy.keys.groupingBy { it.first }.eachCount()
        assertTrue(counts.getValue(RecordKind.DAILY) in 300..366 && counts.getValue(RecordKind.LABS) > 0, "$counts")
        val first = copy.toMap()
        sync(sandbox.client, secret, state, copy) { state = it }
        assertEquals(first, copy)
    }

    @Test
    fun `the first example prints the night's deep sleep`(sandbox: Sandbox): Unit = runBlocking {
        val printed = printed { deepSleep(sandbox.baseUrl, sandbox.token, sandbox.sleepId) }
        val stages = sandbox.client.sleeps.get(sandbox.sleepId) { includeStages = true }.stages.orEmpty()
        // Computed from the start and end of each stage, because the example prints another field, the duration.
        val deep = stages.filter { it.stage?.text == "deep" }.map { Duration.between(it.startAt, it.endAt).toKotlinDuration() }
        assertTrue(deep.isNotEmpty() && deep.size < stages.size)
        assertEquals(deep.map { "$it of deep sleep" }, printed.lines().dropLast(1))
    }

    @Test
    fun `the example in Java returns the night with its stages`(sandbox: Sandbox) {
        VitalwireClient {
            baseUrl = sandbox.baseUrl
            token = sandbox.token
        }.use { client ->
            val night = JavaNights.night(client, sandbox.sleepId).get(30, TimeUnit.SECONDS)
            assertEquals(sandbox.sleepId, night.id)
            assertTrue(night.stages.orEmpty().isNotEmpty())
        }
    }

    /** Runs [work] and returns what it printed to standard output. */
    private suspend fun printed(work: suspend () -> Unit): String {
        val (before, written) = System.out to ByteArrayOutputStream()
        System.setOut(PrintStream(written, true))
        try {
            work()
        } finally {
            System.setOut(before)
        }
        return "$written"
    }

    private companion object {
        const val PICTURE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    }

    /** Removes indentation, which differs inside a class. */
    private fun plain(text: String) = text.lines().map { it.trim() }.filter { it.isNotEmpty() }.joinToString("\n")
}
