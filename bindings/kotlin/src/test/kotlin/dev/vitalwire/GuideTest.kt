package dev.vitalwire

import android.content.Intent
import android.net.Uri
import android.security.keystore.AndroidKeyStore
import dev.vitalwire.guide.ConnectActivity
import dev.vitalwire.guide.TokenStore
import dev.vitalwire.guide.sign
import java.io.File
import java.lang.reflect.InvocationTargetException
import java.net.HttpURLConnection
import java.net.ServerSocket
import java.net.URI
import java.security.Security
import java.time.Instant
import java.time.LocalDate
import java.util.concurrent.TimeUnit
import kotlin.system.exitProcess
import kotlinx.coroutines.flow.take
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.runBlocking
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir

/** Runs the programs in `dev/vitalwire/guide`, which the guides of the documentation site show, and compares their output. */
class GuideTest {
    @TempDir
    lateinit var folder: File

    @Test
    fun `every program is run`() {
        val programs = sources("kotlin").map { "${it.nameWithoutExtension}Kt" } + sources("java").map { it.nameWithoutExtension }
        // The other tests of this class run the two classes for Android.
        assertEquals((PROGRAMS + listOf("ConnectActivityKt", "TokenStoreKt")).sorted(), programs.sorted())
    }

    @Test
    fun `every program prints the output in its guide`(): Unit = withSandbox { ready ->
        val printed = run(ready, PROGRAMS)
        for (program in PROGRAMS) assertEquals(expected(program), printed[program], program)

        // The second run gets the token of an interrupted one, which has read two parts of 90 days.
        val all = File(folder, "2025.csv").readLines()
        assertEquals(listOf("date,steps,heartrate_resting", "2025-01-01"), listOf(all[0], all[1].substringBefore(',')))
        File(folder, "2025.csv").writeText(all.take(1 + 2 * 90).joinToString("") { "$it\n" })
        File(folder, "2025.resume").writeText(tokenAfterTwoParts(ready).text)
        val rest = run(ready, listOf("YearKt")).getValue("YearKt")
        assertEquals(listOf("part 1 of 3, 90 days", "part 2 of 3, 180 days", "part 3 of 3, 185 days", "365 days in 2025.csv"), rest)
        assertEquals(all, File(folder, "2025.csv").readLines())
        assertFalse(File(folder, "2025.resume").exists())
    }

    @Test
    fun `a user id is signed as the interface states`() {
        // Computed by `printf user-1 | openssl dgst -sha256 -hmac an-application-key`.
        assertEquals("b6d21240a619a16353e8c662685627a2265f08c83c41770f287675104842d9b2", sign("an-application-key", "user-1"))
    }

    @Test
    fun `a kept token is encrypted and can be read until its key is gone`() {
        Security.addProvider(AndroidKeyStore)
        val file = File(folder, "token")
        val expiry = Instant.ofEpochSecond(1_800_000_000)
        assertNull(TokenStore(file).load())
        TokenStore(file).save("a secret token", expiry)
        assertEquals("a secret token" to expiry, TokenStore(file).load())
        assertFalse("secret" in file.readText(Charsets.ISO_8859_1))
        AndroidKeyStore.deleteKeys()
        assertNull(TokenStore(file).load())
    }

    @Test
    fun `a wearable is connected in the browser, and a redirect with another state is rejected`(): Unit = runBlocking {
        val screen = ConnectActivity()
        val refused = consent(screen)
        assertTrue(refused.startsWith("https://app.example.org/connected?"), "the redirect goes to another URL")
        fun open(redirect: String): String? {
            screen.onNewIntent(Intent(Intent.ACTION_VIEW, Uri.parse(redirect)))
            return screen.message
        }
        assertEquals("This link does not belong to a connection that you started.", open(refused.replace("state=", "state=x")))
        assertEquals("Not connected.", open(refused))
        // Only a redirect after a failure has `error`. The user of the shared sandbox stays as it is.
        assertEquals("oura is connected.", open(consent(screen).replace(Regex("&?error=[^&]*"), "")))
        screen.onDestroy()
    }

    /** Returns the files of the programs in a language. */
    private fun sources(language: String): List<File> =
        folderOf(language).listFiles().orEmpty().filter { it.extension == "kt" || it.extension == "java" }

    private fun folderOf(language: String) = File(System.getProperty("package.dir"), "src/test/$language/dev/vitalwire/guide")

    /** Returns the committed output of a program. Programs that do the same in both languages share a file. */
    private fun expected(program: String): List<String> {
        val name = "${program.removeSuffix("Kt")}.out"
        val own = File(folderOf(if (program.endsWith("Kt")) "kotlin" else "java"), name)
        return (if (own.exists()) own else File(folderOf("kotlin"), name)).readLines().filter { "--8<--" !in it }
    }

    private fun withSandbox(work: (JsonObject) -> Unit) {
        val program = System.getenv("VITALWIRE_PROGRAM") ?: "vitalwire"
        // The default seed, so that readers see the same output. The date is fixed, because it determines the number of past days.
        val sandbox = ProcessBuilder(program, "sandbox", "--ready-json", "--today", "2026-01-15")
            .redirectError(ProcessBuilder.Redirect.INHERIT).start()
        try {
            work(Json.parseToJsonElement(sandbox.inputStream.bufferedReader().readLine()).jsonObject)
        } finally {
            sandbox.outputStream.close()
            if (!sandbox.waitFor(10, TimeUnit.SECONDS)) sandbox.destroyForcibly()
        }
    }

    /** Runs programs one after the other in a process, and returns the lines that each printed. */
    private fun run(ready: JsonObject, programs: List<String>): Map<String, List<String>> {
        for (file in listOf("lunch.png", "report.pdf")) File(folderOf("kotlin"), file).copyTo(File(folder, file), overwrite = true)
        val path = System.getProperty("surefire.test.class.path") ?: System.getProperty("java.class.path")
        val java = File(System.getProperty("java.home"), "bin/java").path
        val library = "-Djna.library.path=${System.getProperty("jna.library.path")}"
        val command = listOf(java, "-XX:TieredStopAtLevel=1", "-cp", path, library, "dev.vitalwire.GuideRun") + programs
        val builder = ProcessBuilder(command).directory(folder).redirectErrorStream(true)
        val port = ServerSocket(0).use { it.localPort }
        builder.environment().putAll(
            mapOf(
                "VITALWIRE_BASE_URL" to text(ready, "base_url"),
                "VITALWIRE_TOKEN" to text(ready, "token"),
                "APPLICATION_ID" to text(ready, "application_id"),
                "APPLICATION_KEY" to text(ready, "application_key"),
                "PORT" to "$port",
                "TOKEN_URL" to "http://127.0.0.1:$port/token",
            ),
        )
        val process = builder.start()
        val printed = linkedMapOf<String, MutableList<String>>()
        for (line in process.inputStream.bufferedReader().lineSequence()) {
            if (line.startsWith(MARK)) printed[line.removePrefix(MARK)] = mutableListOf() else printed.values.lastOrNull()?.add(line)
        }
        assertTrue(process.waitFor(1, TimeUnit.MINUTES))
        assertEquals(0, process.exitValue(), "$printed")
        return printed
    }

    private fun text(ready: JsonObject, name: String) = ready.getValue(name).jsonPrimitive.content

    /** Reads two parts of the year in the guide and returns the token for the others. */
    private fun tokenAfterTwoParts(ready: JsonObject): ResumeToken = runBlocking {
        val client = VitalwireClient {
            baseUrl = text(ready, "base_url")
            token = text(ready, "token")
        }
        client.use {
            val (first, last) = LocalDate.of(2025, 1, 1) to LocalDate.of(2025, 12, 31)
            val types = listOf(StatisticName.STEPS, StatisticName.HEARTRATE_RESTING)
            checkNotNull(client.statistics.dailyInParts(first, last, types, PartLength.days(90)).parts.take(2).toList().last().resumeToken)
        }
    }

    /** Starts the consent flow, refuses on the sandbox's page and returns the redirect, as a browser would open it. */
    private suspend fun consent(screen: ConnectActivity): String {
        screen.connect(ProviderSlug.OURA).join()
        val intent = screen.started.last()
        assertEquals(Intent.ACTION_VIEW, intent.action)
        val page = URI("${intent.data}").toURL()
        val formToken = checkNotNull(Regex("name=\"form_token\" value=\"([0-9a-f]+)\"").find(page.readText())) { "the page has no form" }
        val connection = page.openConnection() as HttpURLConnection
        connection.instanceFollowRedirects = false
        connection.doOutput = true
        connection.outputStream.use { it.write("form_token=${formToken.groupValues[1]}&answer=refuse".toByteArray()) }
        return checkNotNull(connection.getHeaderField("Location")) { "status ${connection.responseCode}" }
    }
}

/** Runs programs of the guide by the names of their classes. Prints a line with the name before each. */
internal object GuideRun {
    @JvmStatic
    fun main(programs: Array<String>) {
        var status = 1
        try {
            for (program in programs) {
                println("$MARK$program")
                val main = Class.forName("dev.vitalwire.guide.$program").getMethod("main", Array<String>::class.java)
                main.invoke(null, emptyArray<String>())
            }
            status = 0
        } catch (error: InvocationTargetException) {
            error.targetException.printStackTrace()
        } finally {
            // The token server has a thread of its own, which keeps the process running.
            exitProcess(status)
        }
    }
}

private const val MARK = "--- "

/**
 * Programs, in the order in which they run. The app's token comes from the token server. `ProductionKt` runs before `ErrorsKt`, because the
 * sandbox takes the same call as a retry for a minute after it failed.
 */
private val PROGRAMS = listOf(
    "FirstNightKt",
    "FirstNight",
    "TokenServerKt",
    "RenewingTokenKt",
    "YearKt",
    "UploadKt",
    "ProductionKt",
    "ErrorsKt",
    "Errors",
    "DailySyncKt",
)
