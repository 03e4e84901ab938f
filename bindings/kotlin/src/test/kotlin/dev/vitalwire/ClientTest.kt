package dev.vitalwire

import java.io.File
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CountDownLatch
import java.util.concurrent.ExecutionException
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicInteger
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeout
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.assertThrows
import kotlin.time.Duration.Companion.hours
import kotlin.time.Duration.Companion.seconds

/** Tests settings, tokens, response metadata and fakes. */
class ClientTest {
    private fun user(vararg responses: MockResponse) = MockResponses().apply { responses.forEach { add("get_user_info", it) } }

    @Test
    fun `an invalid setting is reported by the first call`(): Unit = runBlocking {
        val client = VitalwireClient { baseUrl = "no URL" }
        repeat(2) {
            val error = assertThrows<VitalwireException.Configuration> { client.user.info() }
            assertEquals("baseUrl", error.argument)
        }
    }

    @Test
    fun `errors name settings and arguments as this package does`(): Unit = runBlocking {
        suspend fun failure(client: VitalwireClient, call: suspend VitalwireClient.() -> Unit) =
            assertThrows<VitalwireException> { runBlocking { client.call() } }
        val unset = failure(VitalwireClient { token = "t" }) { user.info() }
        val rule = "no base URL is set for the health service; set baseUrl"
        assertTrue(unset.message!!.startsWith("configuration: $rule, setting baseUrl"), unset.message)
        assertEquals(rule, unset.reason)
        val plain = failure(VitalwireClient { baseUrl = "http://health.example.org"; token = "t" }) { user.info() }
        assertTrue("with allowPlainHttp" in plain.message!! && "setting baseUrl" in plain.message!!, plain.message)
        val client = VitalwireClient { mockResponses = MockResponses.samples() }
        val empty = failure(client) { sleeps.get("") }
        assertEquals("id", empty.argument)
        assertTrue(", argument id, GET " in empty.message!!, empty.message)
        assertEquals("servingSize", failure(client) { nutritionRecords.update("any", Double.NaN) }.argument)
        assertEquals("picture", failure(client) { Picture.withoutMetadata("GIF89a".toByteArray()) }.argument)
    }

    @Test
    fun `response metadata is that of the enclosed call`(): Unit = runBlocking {
        val client = VitalwireClient { 
            mockResponses = user(MockResponse.status(503), MockResponse.json("{}"))
        }
        val (first, second) =
            listOf(async { client.withResponse { user.info() } }, async { client.withResponse { user.info() } }).awaitAll()
        assertEquals(listOf(200, 200, 3), listOf(first.status, second.status, first.attempts + second.attempts))
        assertTrue(first.elapsed >= 0.seconds)
        assertEquals("Response(status 200, attempts ${first.attempts})", "$first")
        assertThrows<VitalwireException.InvalidArgument> { client.withResponse { } }
    }

    @Test
    fun `the exception of a token provider is the cause`(): Unit = runBlocking {
        for (thrown in listOf(IllegalStateException("mine"), AssertionError("mine"))) {
            val client = VitalwireClient {
                mockResponses = user(MockResponse.json("{}"))
                tokenProvider { throw thrown }
            }
            val error = assertThrows<VitalwireException.Authentication> { runBlocking { client.user.info() } }
            assertSame(thrown, error.cause)
            assertFalse("mine" in "$error ${error.message}")
        }
    }

    @Test
    fun `the cause is the exception of the call's own provider`(): Unit = runBlocking {
        val (ours, theirs) = IllegalStateException("health") to IllegalStateException("care")
        val client = VitalwireClient {
            mockResponses = user(MockResponse.status(401), MockResponse.status(401))
            tokenProvider { throw ours }
            careTokenProvider { throw theirs }
        }
        fun expectFailure(work: suspend () -> Unit) = assertThrows<VitalwireException.Authentication> { runBlocking { work() } }
        assertSame(ours, expectFailure { client.user.info() }.cause)
        assertSame(theirs, expectFailure { client.care.benefits("c", "p", "n") }.cause)
        // This call sets a token, which the service rejects. An earlier exception of the provider is not the cause.
        val refused = expectFailure { client.user.info { token = "t" } }
        assertEquals(401, refused.status)
        assertNull(refused.cause)
    }

    @Test
    fun `the exception of a provider that renews a rejected token is the cause`(): Unit = runBlocking {
        val thrown = IllegalStateException("mine")
        val client = VitalwireClient {
            mockResponses = user(MockResponse.status(401))
            tokenProvider { reason -> if (reason.isRejected) throw thrown else AccessToken("t") }
        }
        val error = assertThrows<VitalwireException.Authentication> { runBlocking { client.user.info() } }
        assertEquals(401, error.status)
        assertSame(thrown, error.cause)
    }

    @Test
    fun `later runs of a provider do not change the cause`(): Unit = runBlocking {
        val runs = AtomicInteger()
        val client = VitalwireClient {
            mockResponses = user(MockResponse.json("{}"))
            // Every second run fails, and no token is valid for longer than a call.
            tokenProvider { if (runs.incrementAndGet() % 2 == 0) error("run") else AccessToken("t", lifetime = 0.seconds) }
        }
        val concurrent = List(400) { async(Dispatchers.Default) { runCatching { client.user.info() } } }.awaitAll()
        // On a slow machine, all concurrent calls may share a run. One of two later calls fails.
        val outcomes = concurrent + List(2) { runCatching { client.user.info() } }
        val failures = outcomes.mapNotNull { it.exceptionOrNull() }
        assertTrue(failures.isNotEmpty() && failures.size < outcomes.size, "${failures.size}")
        for (failure in failures) assertEquals("run", failure.cause?.message)
    }

    @Test
    fun `a token provider gets a reason`(): Unit = runBlocking {
        val reasons = mutableListOf<RefreshReason>()
        val client = VitalwireClient {
            mockResponses = user(MockResponse.status(401), MockResponse.json("{}"))
            tokenProvider { reason ->
                reasons += reason
                AccessToken("t${reasons.size}", lifetime = 1.hours)
            }
        }
        client.user.info()
        assertEquals("[missing, rejected]", "$reasons")
    }

    @Test
    fun `blocking providers do not delay those of other clients`() {
        val processors = Runtime.getRuntime().availableProcessors()
        val (begun, release) = CountDownLatch(processors) to CountDownLatch(1)
        val stuck = List(processors + 1) {
            VitalwireClient {
                mockResponses = user(MockResponse.json("{}"))
                tokenProvider {
                    begun.countDown()
                    release.await()
                    AccessToken("t")
                }
            }
        }
        runBlocking {
            val late = stuck.map { client -> async { client.user.info() } }
            val other = VitalwireClient {
                mockResponses = user(MockResponse.json("{}"))
                tokenProvider { AccessToken("t") }
            }
            try {
                withContext(Dispatchers.IO) { begun.await() }
                withTimeout(10.seconds) { other.user.info() }
            } finally {
                release.countDown()
            }
            late.awaitAll()
        }
    }

    @Test
    fun `closing a client does not wait for the creation of the native client`() {
        val (begun, release) = CountDownLatch(1) to CountDownLatch(1)
        // The headers of a mock response are read while the native client is created.
        val blockingHeaders = object : AbstractMap<String, String>() {
            override val entries: Set<Map.Entry<String, String>>
                get() {
                    begun.countDown()
                    release.await()
                    return emptySet()
                }
        }
        val response = MockResponse {
            json = "{}"
            headers = blockingHeaders
        }
        val client = VitalwireClient { mockResponses = user(response) }
        val call = client.async().user().info()
        try {
            assertTrue(begun.await(30, TimeUnit.SECONDS))
            CompletableFuture.runAsync { client.close() }.get(10, TimeUnit.SECONDS)
        } finally {
            release.countDown()
        }
        val error = assertThrows<ExecutionException> { call.get(30, TimeUnit.SECONDS) }.cause
        assertEquals(ErrorKind.CLOSED, (error as VitalwireException).kind)
    }

    @Test
    fun `a text with an unpaired surrogate is rejected`(): Unit = runBlocking {
        val client = VitalwireClient { mockResponses = MockResponses.samples() }
        assertThrows<VitalwireException.InvalidArgument> { client.sleeps.get("\uD800") }
        assertFalse(client.sleeps.get("any").stages.orEmpty().isEmpty())
    }

    /** A write to a closed connection raises SIGPIPE, which ends a Swift program. The JVM has a handler, so this test reads the mask. */
    @Test
    fun `the thread that drives connections blocks SIGPIPE`() {
        val tasks = File("/proc/self/task")
        assumeTrue(tasks.exists(), "not Linux")
        VitalwireClient { mockResponses = MockResponses.samples() }.use { client -> runBlocking { client.user.info() } }
        val threads = tasks.listFiles().orEmpty().filter { File(it, "comm").readText().startsWith("async-compat") }
        val masks = threads.map { task ->
            File(task, "status").readLines().first { it.startsWith("SigBlk:") }.substringAfter(':').trim().toLong(16)
        }
        assertEquals(1, masks.size)
        // SIGPIPE is signal 13.
        assertEquals(0x1000, masks.single() and 0x1000)
    }

    @Test
    fun `a fake overrides what it needs`(): Unit = runBlocking {
        val fake = object : VitalwireApi {
            override val sleeps = object : Sleeps {
                override suspend fun get(id: String, options: GetSleepOptions) =
                    SleepRecord { this.id = id; score = if (options.includeStages == true) 2 else 1 }
            }
        }
        assertEquals(1L, fake.sleeps.get("a").score)
        assertEquals(2L, fake.sleeps.get("a") { includeStages = true }.score)
        val missing = assertThrows<UnsupportedOperationException> { fake.user.info() }
        assertEquals("the fake does not implement user", missing.message)
    }
}
