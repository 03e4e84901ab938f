package dev.vitalwire

import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.assertThrows
import java.nio.file.Files
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit
import java.util.logging.Handler
import java.util.logging.Level
import java.util.logging.LogRecord
import java.util.logging.Logger
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/** Tests mock responses, and the attempts that a listener receives. */
class MockResponsesTest {
    private fun client(responses: MockResponses, listener: AttemptListener? = null) = VitalwireClient {
        this.mockResponses = responses
        onAttempt = listener
    }

    private fun delayedResponse() = MockResponse {
        json = "{}"
        delay = 60.seconds
    }

    private fun user(vararg responses: MockResponse) = MockResponses().apply { responses.forEach { add("get_user_info", it) } }

    @Test
    fun `mock responses are returned in order through the whole client`(): Unit = runBlocking {
        val responses = user(
            MockResponse.status(503),
            MockResponse {
                json = """{"uid": "u-1"}"""
                header("x-request-id", "req-1")
            },
        )
        val seen = mutableListOf<Attempt>()
        client(responses) { seen += it }.use { assertEquals("u-1", it.user.info().uid) }
        assertEquals(listOf(503, 200), seen.map { it.status })
        assertEquals(listOf(ErrorKind.SERVICE, null), seen.map { it.error })
        assertEquals(listOf(Duration.ZERO, null), seen.map { it.nextDelay })
        assertEquals(listOf(null, "req-1"), seen.map { it.requestId })
        assertTrue(seen.all { it.operation == "get_user_info" && it.httpMethod == "GET" && it.pathTemplate == "/v3/userinfo" })
        val line = Regex("""GET /v3/userinfo \(get_user_info\), attempt 1: 503 service in \d+ ms, next after 0 ms""")
        assertTrue(line.matches("${seen[0]}"), "${seen[0]}")
        assertEquals(listOf("/v3/userinfo", "/v3/userinfo"), responses.requests().map { it.path })
        responses.clear("get_user_info")
        responses.add("get_user_info", MockResponse.json("""{"uid": "u-2"}"""))
        client(responses).use { assertEquals("u-2", it.user.info().uid) }
    }

    @Test
    fun `a response body is kept on request`(): Unit = runBlocking {
        val responses = user(MockResponse.json("""{"uid": "u-1"}"""), MockResponse.json("[]"))
        client(responses).use { client ->
            val kept = client.withResponse { user.info { keepBody = true } }
            assertEquals("""{"uid": "u-1"}""", kept.body?.decodeToString())
            assertFalse("u-1" in "$kept")
            val unread = assertThrows<VitalwireException> { runBlocking { client.user.info { keepBody = true } } }
            assertEquals("[]", unread.body?.decodeToString())
            assertNull(assertThrows<VitalwireException> { runBlocking { client.user.info() } }.body)
        }
    }

    @Test
    fun `every operation has a sample`(): Unit = runBlocking {
        client(MockResponses.samples()).use { client ->
            assertFalse(client.user.info().uid.isNullOrEmpty())
            assertTrue(client.sleeps.get("any").stages.orEmpty().isNotEmpty())
            assertTrue(client.labReports.list().isNotEmpty())
        }
    }

    @Test
    fun `a missing, late or malformed response is an error`(): Unit = runBlocking {
        client(MockResponses()).use { client ->
            val unanswered = assertThrows<VitalwireException> { runBlocking { client.user.info() } }
            assertEquals(ErrorKind.CONFIGURATION, unanswered.kind)
            assertEquals("mockResponses.get_user_info", unanswered.argument)
        }
        client(user(MockResponse.status(0))).use { client ->
            assertEquals(ErrorKind.TRANSPORT, assertThrows<VitalwireException> { runBlocking { client.user.info() } }.kind)
        }
        client(user(delayedResponse())).use { client ->
            val late = assertThrows<VitalwireException> { runBlocking { client.user.info { timeout = 50.milliseconds } } }
            assertEquals(ErrorKind.TIMEOUT, late.kind)
        }
        val empty = Files.createTempDirectory("vitalwire")
        assertEquals(ErrorKind.CONFIGURATION,
            assertThrows<VitalwireException> { runBlocking { client(MockResponses.fromFolder(empty.toFile())).user.info() } }.kind)
    }

    @Test
    fun `toString of a mock response or request shows no values`(): Unit = runBlocking {
        val answer = MockResponse {
            json = """{"uid": "CANARY"}"""
            header("x-note", "CANARY")
        }
        val responses = user(answer)
        client(responses).use { it.user.info() }
        assertFalse("CANARY" in "$answer ${responses.requests()} $responses")
    }

    @Test
    fun `an attempt listener may throw or call the client`(): Unit = runBlocking {
        val responses =
            user(MockResponse.json("""{"uid": "u-1"}""")).apply { add("get_user_properties", MockResponse.json("""{"properties": {}}""")) }
        client(responses).use { inner ->
            for (thrown in listOf(IllegalStateException("in a hook"), AssertionError("in a hook"))) {
                val hook = AttemptListener {
                    runBlocking { inner.user.properties() }
                    throw thrown
                }
                client(responses, hook).use { assertEquals("u-1", it.user.info().uid) }
            }
        }
        val expected = listOf("get_user_info", "get_user_properties")
        assertEquals(expected + expected, responses.requests().map { it.operation })
    }

    @Test
    fun `an attempt listener that closes the client does not fail a completed call`(): Unit = runBlocking {
        lateinit var closing: VitalwireClient
        closing = client(user(MockResponse.json("""{"uid": "u-1"}"""))) { closing.close() }
        assertEquals("u-1", closing.user.info().uid)
        assertEquals(ErrorKind.CLOSED, assertThrows<VitalwireException> { runBlocking { closing.user.info() } }.kind)
    }

    @Test
    fun `a blocking attempt listener delays only its own call`(): Unit = runBlocking {
        val (begun, release) = CountDownLatch(1) to CountDownLatch(1)
        val blocked = client(user(MockResponse.json("""{"uid": "u-1"}"""))) {
            begun.countDown()
            assertTrue(release.await(60, TimeUnit.SECONDS))
        }
        client(user(delayedResponse())).use { other ->
            val held = async(Dispatchers.IO) { blocked.use { it.user.info() } }
            assertTrue(begun.await(10, TimeUnit.SECONDS))
            val start = TimeSource.Monotonic.markNow()
            val late = List(4) { async(Dispatchers.IO) { runCatching { other.user.info { timeout = 300.milliseconds } } } }
            val kinds = late.awaitAll().map { (it.exceptionOrNull() as? VitalwireException)?.kind }
            assertEquals(List(4) { ErrorKind.TIMEOUT }, kinds)
            assertTrue(start.elapsedNow() < 10.seconds, "${start.elapsedNow()}")
            assertFalse(held.isCompleted)
            release.countDown()
            assertEquals("u-1", held.await().uid)
        }
    }

    @Test
    fun `predefined attempt listeners write a line`(): Unit = runBlocking {
        val lines = mutableListOf<String>()
        val logger = Logger.getLogger("dev.vitalwire.test")
        val handler = object : Handler() {
            override fun publish(record: LogRecord) = lines.plusAssign(record.message)

            override fun flush() = Unit

            override fun close() = Unit
        }
        logger.addHandler(handler)
        logger.useParentHandlers = false
        client(user(MockResponse.json("{}")), AttemptLog.slf4j("dev.vitalwire.test")).use { client ->
            runCatching { client.user.info() }
            assertTrue(lines.isEmpty())
            logger.level = Level.FINE
            runCatching { client.user.info() }
        }
        client(user(MockResponse.json("{}")), AttemptLog.logcat("test")).use { runCatching { it.user.info() } }
        val line = Regex("""GET /v3/userinfo \(get_user_info\), attempt 1: 200 in \d+ ms""")
        assertTrue(line.matches(lines.single()), "$lines")
        val (tag, written) = android.util.Log.lines.single()
        assertEquals("test", tag)
        assertTrue(line.matches(written), written)
        assertNull(logger.handlers.firstOrNull { it !== handler })
    }
}
