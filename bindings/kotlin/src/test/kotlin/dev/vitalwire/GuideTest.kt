package dev.vitalwire

import android.security.keystore.AndroidKeyStore
import dev.vitalwire.guide.TokenStore
import dev.vitalwire.guide.UserToken
import dev.vitalwire.server.Webhooks
import dev.vitalwire.server.signUserId
import java.io.File
import java.lang.reflect.InvocationTargetException
import java.net.HttpURLConnection
import java.net.ServerSocket
import java.net.URI
import java.nio.file.Files
import java.nio.file.attribute.PosixFilePermissions
import java.security.Security
import java.time.Instant
import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit
import kotlin.system.exitProcess
import kotlinx.coroutines.delay
import kotlinx.coroutines.runBlocking
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import org.junit.jupiter.api.Assertions.assertArrayEquals
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
        // The other tests of this class run the class for Android and the receiver of webhooks.
        assertEquals((PROGRAMS + listOf("TokenStoreKt", "WebhookServerKt")).sorted(), programs.sorted())
    }

    @Test
    fun `every program prints the output in its guide`(): Unit = withSandbox { ready ->
        val printed = run(ready, PROGRAMS)
        for (program in PROGRAMS) assertEquals(expected(program), printed[program], program)
    }

    @Test
    fun `a year continues after failed parts, for the same user only`(): Unit = withSandbox { ready ->
        run(ready, listOf("YearKt"))
        val complete = yearFiles()
        val rows = complete.values.flatMap { it.lines().drop(1).dropLast(1) }
        assertEquals(365, rows.size)
        assertEquals(listOf("2025-01-01", "2025-12-31"), listOf(rows.first(), rows.last()).map { it.substringBefore(',') })
        assertTrue(complete.values.all { it.startsWith("date,steps,heartrate_resting\n") })
        complete.keys.forEach { File(folder, it).delete() }

        // The fifth request is that of the fifth part, because four are in flight.
        fault(ready, "delay; delay_ms=1; times=4; operation=daily_statistics")
        fault(ready, "status; status=500; operation=daily_statistics")
        val printed = run(ready, listOf("YearKt"), status = 1).getValue("YearKt")
        assertEquals("part 4 of 5, 360 days", printed.last { it.startsWith("part ") })
        val written = yearFiles()
        assertEquals(complete.keys - "2025-part-4.csv" + "2025.resume", written.keys)
        run(ready, listOf("YearKt"), status = 1, token = tokenOf(ready, "person-2"))
        assertEquals(written, yearFiles())
        assertEquals(listOf("part 1 of 1, 5 days"), run(ready, listOf("YearKt")).getValue("YearKt"))
        assertEquals(complete, yearFiles())
    }

    @Test
    fun `a missing number is not shown as 0`(): Unit = withSandbox { ready ->
        for (operation in listOf("get_sleep", "get_nutrition_record", "get_lab_report")) {
            fault(ready, "nulls; what=members; times=always; operation=$operation")
        }
        val printed = run(ready, listOf("FirstNightKt", "FirstNight", "UploadKt"))
        for (program in listOf("FirstNightKt", "FirstNight")) {
            val stages = printed.getValue(program).filter { it.startsWith("  ") }
            assertEquals(setOf("  unknown    ? min"), stages.toSet(), program)
        }
        assertEquals(setOf("a meal, unknown energy", "a test: unknown"), printed.getValue("UploadKt").toSet())
    }

    @Test
    fun `the token server gives tokens to users who are signed in`(): Unit = withSandbox { ready ->
        serve(ready, "TokenServerKt") { port, _ ->
            val url = "http://127.0.0.1:$port/token"
            val session = "Bearer a-session-of-person-1"
            fun status(method: String, address: String, authorization: String?) = send(method, address, authorization).responseCode
            assertEquals(401, status("POST", url, "Bearer another"))
            assertEquals(401, status("POST", url, "a-session-of-person-1"))
            assertEquals(401, status("POST", url, null))
            assertEquals(405, status("GET", url, session))
            assertEquals(listOf(404, 404), listOf("$url/", "${url}s").map { status("POST", it, session) })
            fault(ready, "status; status=401; operation=exchange_token")
            assertEquals(502, status("POST", url, session))
            fault(ready, "delay; delay_ms=5000; operation=exchange_token")
            val slow = CompletableFuture.supplyAsync { status("POST", url, session) }
            Thread.sleep(500)
            assertEquals(401, status("POST", url, null))
            assertFalse(slow.isDone, "a slow request must not block others")
            assertEquals(200, slow.get())
            val response = send("POST", url, session)
            assertEquals("no-store", response.getHeaderField("Cache-Control"))
            val body = response.inputStream.readBytes()
            assertEquals(body.size, response.contentLength)
            val members = Json.parseToJsonElement(body.decodeToString()).jsonObject
            assertEquals(setOf("access_token", "expires_in"), members.keys)
            assertEquals("3600", text(members, "expires_in"))
        }
    }

    @Test
    fun `the receiver of webhooks processes each body once`(): Unit = withSandbox { ready ->
        serve(ready, "WebhookServerKt") { port, lines ->
            val url = "http://127.0.0.1:$port/"
            val settings = listOf("main", "lab_reports", "nutrition_records").joinToString(",", "{", "}") { """"$it":"$url"""" }
            assertEquals(200, send("PUT", "${text(ready, "base_url")}/_sandbox/webhooks", body = settings.toByteArray()).responseCode)
            VitalwireClient {
                baseUrl = text(ready, "base_url")
                token = text(ready, "token")
                noProxy = true
            }.use { client ->
                runBlocking {
                    client.nutritionRecords.uploadAndWait(PictureUpload.of(File(folder, "lunch.png")))
                    client.labReports.uploadAndWait(DocumentUpload.of(File(folder, "report.pdf"), name = "report.pdf"))
                    client.integrations.delete(checkNotNull(client.user.info().integratedProviders).first().providerSlug!!)
                }
            }
            val received = List(3) { lines.next() }
            assertEquals(File(folderOf("kotlin"), "WebhookServer.out").readLines(), received.sorted())

            val key = text(ready, "webhook_key").toByteArray()
            fun deliver(body: String, signature: String = Webhooks.sign(body.toByteArray(), key)) =
                send("POST", url, header = Webhooks.SIGNATURE_HEADER to signature, body = body.toByteArray()).responseCode
            val event = """[{"event_type":"record_change"}]"""
            assertEquals(listOf(200, 200), listOf(event, """[ {"event_type": "record_change"} ]""").map { deliver(it) })
            assertEquals("record_change", lines.next())
            assertEquals(listOf(401, 400, 400), listOf(deliver(event, "00"), deliver("""{"record_id":"r"}"""), deliver("no JSON")))
            assertEquals(200, deliver("""[{"event_type":"provider_integration_created"}]"""))
            assertEquals("provider_integration_created", lines.next(), "a body was processed twice")
        }
    }

    @Test
    fun `a kept token is encrypted and can be read until its key is gone`() {
        Security.addProvider(AndroidKeyStore)
        fun store() = TokenStore(folder, "person-1")
        fun save(token: String) = store().save(UserToken(token, Instant.ofEpochSecond(1_800_000_000)))
        assertNull(store().load())
        save("a secret token")
        val loaded = store().load()
        assertEquals("a secret token" to 1_800_000_000L, loaded?.text to loaded?.expiresAt?.epochSecond)
        val file = checkNotNull(folder.listFiles()).single()
        assertFalse("secret" in file.readText(Charsets.ISO_8859_1))
        // A second name of the file shows whether a new token replaces the file or is written into it.
        val (earlier, kept) = File(folder, "earlier") to file.readBytes()
        Files.createLink(earlier.toPath(), file.toPath())
        save("another token")
        assertArrayEquals(kept, earlier.readBytes())
        assertEquals(setOf("earlier", file.name), folder.list()?.toSet())
        val bytes = file.readBytes()
        for (damaged in listOf(0, 5, 12, 13, bytes.size - 1).map { bytes.copyOf(it) } + bytes.also { it[it.size - 1]++ }) {
            file.writeBytes(damaged)
            assertNull(store().load(), "${damaged.size} bytes")
        }
        save("a secret token")
        AndroidKeyStore.deleteKeys()
        assertNull(store().load())
        store().delete()
        assertFalse(file.exists())
    }

    @Test
    fun `a kept token is that of its user only`() {
        Security.addProvider(AndroidKeyStore)
        val (one, other) = TokenStore(folder, "person-1") to TokenStore(folder, "person/2")
        one.save(lasting("token of person 1"))
        assertNull(other.load())
        val file = checkNotNull(folder.listFiles()).single()
        other.save(lasting("token of person 2"))
        assertEquals("token of person 1" to "token of person 2", one.load()?.text to other.load()?.text)
        // Without a binding of the content, the other user would read the token.
        file.copyTo(checkNotNull(folder.listFiles()).single { it != file }, overwrite = true)
        assertNull(other.load())
        other.delete()
        assertEquals("token of person 1", one.load()?.text)
    }

    @Test
    fun `a token that arrives after the user has signed out is not stored`() {
        Security.addProvider(AndroidKeyStore)
        val store = TokenStore(folder, "person-1")
        val token = store.token(RefreshReason.MISSING) {
            store.delete()
            lasting("late")
        }
        assertEquals("late", token.secret)
        assertEquals(emptyList<String>(), folder.list()?.toList())
    }

    @Test
    fun `an unusable key is replaced, and without a key tokens are used but not stored`() {
        Security.addProvider(AndroidKeyStore)
        val store = TokenStore(folder, "person-1")
        for (damage in listOf(AndroidKeyStore::makeKeysUnreadable, AndroidKeyStore::invalidateKeys)) {
            store.save(lasting("kept"))
            damage()
            assertNull(store.load(), damage.name)
            assertEquals("new", store.token(RefreshReason.MISSING) { lasting("new") }.secret, damage.name)
            assertEquals("new", store.load()?.text, damage.name)
        }
        AndroidKeyStore.deleteKeys()
        AndroidKeyStore.isAvailable = false
        try {
            assertEquals("not stored", store.token(RefreshReason.MISSING) { lasting("not stored") }.secret)
            assertNull(store.load())
        } finally {
            AndroidKeyStore.isAvailable = true
        }
    }

    @Test
    fun `a kept token is used until it expires or is rejected`() {
        Security.addProvider(AndroidKeyStore)
        val store = TokenStore(folder, "person-1")
        var fetched = 0
        fun provide(reason: RefreshReason) {
            store.token(reason) {
                fetched++
                lasting("token $fetched")
            }
        }
        for ((reason, expected) in listOf(
            RefreshReason.MISSING to 1,
            RefreshReason.MISSING to 1,
            RefreshReason.EXPIRING to 2,
            RefreshReason.REJECTED to 3,
        )) {
            provide(reason)
            assertEquals(expected, fetched)
            assertEquals("token $expected", store.load()?.text)
        }
        store.save(UserToken("a token that is about to expire", Instant.now().plusSeconds(59)))
        provide(RefreshReason.MISSING)
        assertEquals("token 4", store.load()?.text)
    }

    /** Creates a token with a lifetime of an hour. */
    private fun lasting(text: String) = UserToken(text, Instant.now().plusSeconds(3600))

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
    private fun run(
        ready: JsonObject, programs: List<String>, status: Int = 0, token: String = text(ready, "token"),
    ): Map<String, List<String>> {
        val process = start(ready, programs, token, ServerSocket(0).use { it.localPort })
        val printed = linkedMapOf<String, MutableList<String>>()
        for (line in process.inputStream.bufferedReader().lineSequence()) {
            if (line.startsWith(MARK)) printed[line.removePrefix(MARK)] = mutableListOf() else printed.values.lastOrNull()?.add(line)
        }
        assertTrue(process.waitFor(1, TimeUnit.MINUTES))
        assertEquals(status, process.exitValue(), "$printed")
        return printed
    }

    /** Runs a server of the guide while [work] runs with its port and the lines that it prints. */
    private fun serve(ready: JsonObject, program: String, work: (Int, Iterator<String>) -> Unit) {
        val port = ServerSocket(0).use { it.localPort }
        val process = start(ready, listOf(program, WAIT), text(ready, "token"), port)
        try {
            val lines = process.inputStream.bufferedReader().lineSequence().iterator()
            assertTrue(lines.asSequence().any { it == "listening" })
            work(port, lines)
        } finally {
            process.destroy()
        }
    }

    private fun send(method: String, url: String, authorization: String?): HttpURLConnection =
        send(method, url, authorization?.let { "Authorization" to it })

    private fun send(method: String, url: String, header: Pair<String, String>? = null, body: ByteArray? = null): HttpURLConnection {
        val connection = URI(url).toURL().openConnection() as HttpURLConnection
        connection.requestMethod = method
        if (header != null) connection.setRequestProperty(header.first, header.second)
        if (body != null) {
            connection.doOutput = true
            connection.setRequestProperty("Content-Type", "application/json")
            connection.outputStream.use { it.write(body) }
        }
        return connection
    }

    private fun fault(ready: JsonObject, fault: String) = fault(text(ready, "base_url"), fault)

    private fun fault(baseUrl: String, fault: String) {
        assertEquals(201, send("POST", "$baseUrl/_sandbox/faults", body = """{"fault":"$fault"}""".toByteArray()).responseCode)
    }

    /** Returns the texts of the files that the program of the year has written, by name. */
    private fun yearFiles(): Map<String, String> {
        val files = folder.listFiles().orEmpty().filter { it.name.startsWith("2025") }.sorted()
        return files.onEach(::assertPrivate).associate { it.name to it.readText() }
    }

    private fun assertPrivate(file: File) =
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file.toPath())), file.name)

    private fun tokenOf(ready: JsonObject, user: String): String = runBlocking {
        VitalwireClient { baseUrl = text(ready, "base_url") }.use {
            it.tokens.exchange(text(ready, "application_id").toLong(), user, signUserId(text(ready, "application_key"), user)).accessToken
        }
    }

    /** Starts a process that runs programs one after the other. */
    private fun start(ready: JsonObject, programs: List<String>, token: String, port: Int): Process {
        for (file in listOf("lunch.png", "report.pdf")) File(folderOf("kotlin"), file).copyTo(File(folder, file), overwrite = true)
        val path = System.getProperty("surefire.test.class.path") ?: System.getProperty("java.class.path")
        val java = File(System.getProperty("java.home"), "bin/java").path
        val library = "-Djna.library.path=${System.getProperty("jna.library.path")}"
        val command = listOf(java, "-XX:TieredStopAtLevel=1", "-cp", path, library, "dev.vitalwire.GuideRun") + programs
        val builder = ProcessBuilder(command).directory(folder).redirectErrorStream(true)
        builder.environment().putAll(
            mapOf(
                "VITALWIRE_BASE_URL" to text(ready, "base_url"),
                "VITALWIRE_TOKEN" to token,
                "APPLICATION_ID" to text(ready, "application_id"),
                "APPLICATION_KEY" to text(ready, "application_key"),
                "VITALWIRE_WEBHOOK_KEY" to text(ready, "webhook_key"),
                "PORT" to "$port",
                "TOKEN_URL" to "http://127.0.0.1:$port/token",
            ),
        )
        return builder.start()
    }

    private fun text(ready: JsonObject, name: String) = ready.getValue(name).jsonPrimitive.content
}

/** Runs programs of the guide by the names of their classes. Prints a line with the name before each. */
internal object GuideRun {
    @JvmStatic
    fun main(programs: Array<String>) {
        var status = 1
        try {
            for (program in programs) {
                if (program == WAIT) Thread.currentThread().join()
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

/** Name that makes the process wait until it is ended. */
private const val WAIT = "wait"

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
    "OwnTransportKt",
    "ProductionKt",
    "ErrorsKt",
    "Errors",
    "NightlyJobKt",
)
