package dev.vitalwire

import dev.vitalwire.testing.Call
import dev.vitalwire.testing.mock
import dev.vitalwire.testing.on
import dev.vitalwire.testing.of
import com.sun.net.httpserver.HttpServer
import java.net.InetAddress
import java.net.InetSocketAddress
import java.time.LocalDate
import java.util.Collections
import java.util.concurrent.Executors
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.cancel
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.future.await
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import kotlinx.coroutines.yield
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNotEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.assertThrows

/** Tests concurrent calls, nested calls, and calls that are cancelled at any moment. */
class ManyCallsTest {
    @Test
    fun `a provider that calls its own client fails at once`() {
        val inner = mapOf<String, suspend (VitalwireClient) -> Unit>(
            "a call" to { it.user.info() },
            "another dispatcher" to { client -> withContext(Dispatchers.Default) { client.user.info() } },
            "a child coroutine" to { client -> coroutineScope { async(Dispatchers.IO) { client.user.info() }.await() } },
            "after a delay" to { client ->
                delay(5)
                client.user.info()
            },
            "a call for Java" to { it.async().user().info().await() },
            "a blocking call for Java" to { it.async().user().info().join() },
            "a callback in Java" to { client ->
                VitalwireClient.mock(MockResponses.samples()).use { other ->
                    other.async().user().info().thenCompose { client.async().user().info() }.await()
                }
            },
            "a wait" to { it.nutritionRecords.waitFor("n-1") },
            "a range" to { it.sleeps.between(LocalDate.of(2025, 3, 1), LocalDate.of(2025, 3, 3)).collectAll() },
        )
        for ((name, call) in inner) {
            lateinit var own: VitalwireClient
            own = VitalwireClient {
                baseUrl = "http://127.0.0.1:9"
                tokenProvider {
                    call(own)
                    AccessToken("never")
                }
            }
            val started = TimeSource.Monotonic.markNow()
            val error = assertThrows<VitalwireException>(name) { runBlocking { own.user.info() } }
            assertTrue(started.elapsedNow() < 4.seconds, "$name: ${started.elapsedNow()}")
            assertEquals(ErrorKind.AUTHENTICATION, error.kind, name)
            val reason = generateSequence<Throwable>(error.cause) { it.cause }.filterIsInstance<VitalwireException>().first()
            assertEquals(ErrorKind.CONFIGURATION, reason.kind, name)
        }
    }

    @Test
    fun `a provider may call another client`() {
        val given = Collections.synchronizedList(mutableListOf<String>())
        VitalwireClient.mock(MockResponses.samples()).use { other ->
            val client = VitalwireClient {
                baseUrl = "http://127.0.0.1:9"
                maxRetries = 0
                tokenProvider { AccessToken(other.user.info().uid.orEmpty().also(given::add)) }
            }
            val error = assertThrows<VitalwireException> { runBlocking { client.user.info() } }
            assertEquals(ErrorKind.TRANSPORT, error.kind)
            assertEquals(listOf(runBlocking { other.user.info().uid }), given)
        }
    }

    @Test
    fun `a hundred concurrent calls get their own responses`(): Unit = runBlocking {
        val asked = Collections.synchronizedList(mutableListOf<String>())
        val server = HttpServer.create(InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0)
        val threads = Executors.newCachedThreadPool()
        server.executor = threads
        server.createContext("/") { exchange ->
            val id = exchange.requestURI.path.substringAfterLast('/')
            asked += id
            // Respond in another order than that of the requests.
            Thread.sleep((delayMilliseconds(id) % 40).toLong())
            val body = SleepRecord { this.id = id }.toJson().toByteArray()
            exchange.responseHeaders["content-type"] = "application/json"
            exchange.sendResponseHeaders(200, body.size.toLong())
            exchange.responseBody.use { it.write(body) }
        }
        server.start()
        val client = VitalwireClient {
            baseUrl = "http://127.0.0.1:${server.address.port}"
            token = "t"
            noProxy = true
        }
        try {
            val ids = List(100) { "night-$it" }
            val answered = Collections.synchronizedList(mutableListOf<String?>())
            val nights = client.use { ids.map { id -> async(Dispatchers.Default) { it.sleeps.get(id).id.also(answered::add) } }.awaitAll() }
            assertEquals(ids, nights)
            assertEquals(ids.toSet(), asked.toSet())
            assertEquals(100, asked.size)
            assertNotEquals(asked, answered, "the server was to answer in another order")
        } finally {
            server.stop(0)
            threads.shutdown()
        }
    }

    /** Returns a delay that differs between ids and is the same in every run. */
    private fun delayMilliseconds(id: String) = id.filter(Char::isDigit).toInt() * 37

    @Test
    fun `a call cancelled before its start sends nothing`(): Unit = runBlocking {
        val responses = MockResponses.samples()
        VitalwireClient.mock(responses).use { client ->
            client.user.info()
            launch(start = CoroutineStart.UNDISPATCHED) {
                coroutineContext.cancel()
                assertThrows<CancellationException> { client.user.info() }
            }.join()
            assertEquals(1, responses.requests().size)
        }
    }

    @Test
    fun `a call cancelled during its response succeeds or is cancelled`(): Unit = runBlocking {
        val numbers = Series.of(*DoubleArray(80_000) { it % 200.0 })
        val night = SleepRecord {
            id = "s-1"
            samples = SleepSamples { offsets = numbers }
        }
        val responses = MockResponses().on(Call.SLEEPS_GET, night)
        VitalwireClient.mock(responses).use { client ->
            assertEquals(80_000, client.sleeps.get("s-1").samples?.offsets?.size)
            var (given, cancelled) = 0 to 0
            // Time after which a call is cancelled. It is adjusted until some calls complete before the cancellation and others do not.
            var wait = 4.milliseconds
            for (round in 0 until MAX_ROUNDS) {
                if (given >= ENOUGH && cancelled >= ENOUGH) break
                val before = responses.requests().size
                var ended: Result<SleepRecord>? = null
                val call = launch(Dispatchers.Default) { ended = runCatching { client.sleeps.get("s-1") } }
                while (responses.requests().size == before) yield()
                val taken = TimeSource.Monotonic.markNow()
                while (taken.elapsedNow() < wait) yield()
                call.cancelAndJoin()
                checkNotNull(ended).onFailure {
                    assertTrue(it is CancellationException, "${it.javaClass}")
                    cancelled++
                    wait = (wait * 1.5).coerceAtMost(1.seconds)
                }.onSuccess {
                    assertEquals("s-1", it.id)
                    assertEquals(80_000, it.samples?.offsets?.size)
                    given++
                    wait *= 0.5
                }
            }
            assertTrue(given >= ENOUGH && cancelled >= ENOUGH, "$given were given, $cancelled cancelled")
            assertEquals("s-1", client.sleeps.get("s-1").id)
        }
    }

    private companion object {
        /** Number of calls that must have each outcome, and maximum number of rounds. */
        const val ENOUGH = 10
        const val MAX_ROUNDS = 400
    }
}
