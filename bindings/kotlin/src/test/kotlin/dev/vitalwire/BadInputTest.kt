package dev.vitalwire

import dev.vitalwire.testing.mock
import dev.vitalwire.testing.delayed
import com.sun.jna.Native
import java.time.LocalDate
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.CountDownLatch
import java.util.concurrent.Executors
import java.util.concurrent.TimeUnit
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.async
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeout
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.assertThrows

/** Tests invalid settings, slow callbacks, and calls from a thread that must not block. */
class BadInputTest {
    private val nowhere = "http://127.0.0.1:9"

    private fun expectFailure(work: suspend () -> Unit) = assertThrows<VitalwireException> { runBlocking { work() } }

    @Test
    fun `an invalid URL is rejected by the first and every later call`() {
        for (url in listOf("ftp://health.example.org", "health.example.org", "https://", "/v3", "https://h.example?x=CANARY")) {
            val client = VitalwireClient {
                baseUrl = url
                token = "t"
            }
            val read: suspend () -> Unit = { client.user.info() }
            for (call in listOf<suspend () -> Unit>(read, read, { client.labReports.listInParts(null).collectAll() })) {
                val error = expectFailure(call)
                assertEquals(ErrorKind.CONFIGURATION, error.kind, url)
                assertTrue("CANARY" !in error.stackTraceToString())
            }
        }
    }

    @Test
    fun `an invalid pin is rejected and not shown`() {
        for (pins in listOf(" ; ", "CANARY", "sha256/CANARY", "sha256/Q0FOQVJZ")) {
            val client = VitalwireClient {
                baseUrl = nowhere
                token = "t"
                pinnedKeys = pins
            }
            val error = expectFailure { client.user.info() }
            assertEquals(ErrorKind.CONFIGURATION, error.kind, pins)
            assertTrue("CANARY" !in error.stackTraceToString())
        }
    }

    @Test
    fun `a call times out while its provider blocks, and other calls are not delayed`() {
        val release = CountDownLatch(1)
        val stuck = VitalwireClient {
            baseUrl = nowhere
            tokenProvider {
                release.await()
                AccessToken("t")
            }
        }
        runBlocking {
            val late = async { runCatching { stuck.user.info { timeout = 300.milliseconds } } }
            VitalwireClient.mock(MockResponses.samples()).use { it.user.info() }
            assertEquals(ErrorKind.TIMEOUT, (late.await().exceptionOrNull() as? VitalwireException)?.kind)
        }
        release.countDown()
    }

    @Test
    fun `a blocking listener delays only its own range`() {
        val first = LocalDate.of(2026, 3, 1)
        val calls = listOf<suspend (VitalwireClient) -> Unit>(
            { it.statistics.dailyInParts(first, first.plusDays(1), listOf(StatisticName.STEPS), PartLength.days(1)).collectAll() },
            { it.sleeps.between(first, first.plusDays(1)).collectAll() },
        )
        for (call in calls) {
            val begun = CountDownLatch(1)
            val release = CountDownLatch(1)
            val stuck = VitalwireClient {
                mockResponses = MockResponses.samples()
                onAttempt {
                    begun.countDown()
                    release.await()
                }
            }
            runBlocking {
                val late = async(Dispatchers.IO) { call(stuck) }
                try {
                    assertTrue(withContext(Dispatchers.IO) { begun.await(20, TimeUnit.SECONDS) })
                    val other = VitalwireClient.mock(MockResponses.samples())
                    withTimeout(10.seconds) { other.user.info() }
                    assertFalse(late.isCompleted)
                } finally {
                    release.countDown()
                }
                late.await()
            }
        }
    }

    @Test
    fun `a call times out while its provider never returns`() {
        val client = VitalwireClient {
            baseUrl = nowhere
            tokenProvider {
                delay(3_600.seconds)
                AccessToken("late")
            }
        }
        assertEquals(ErrorKind.TIMEOUT, expectFailure { client.user.info { timeout = 300.milliseconds } }.kind)
    }

    /** Makes calls from a dispatcher with one thread, like `Dispatchers.Main`. The calls must not block this thread. */
    @Test
    fun `the caller's only thread is not blocked by calls`(): Unit = runBlocking {
        val executor = Executors.newSingleThreadExecutor()
        executor.asCoroutineDispatcher().use { main ->
            withContext(main) {
                val own = Thread.currentThread()
                val client = VitalwireClient.mock(MockResponses.delayed(300.milliseconds))
                var ticks = 0
                val ticking = launch { while (true) delay(10.milliseconds).also { ticks++ } }
                client.user.info()
                assertSame(own, Thread.currentThread())
                client.labReports.listInParts(null).parts.collect { assertSame(own, Thread.currentThread()) }
                client.nutritionRecords.upload(PictureUpload.of(ByteArray(1).inputStream())) { clientSideValidation = false }
                ticking.cancel()
                assertTrue(ticks > 10, "$ticks")
                client.close()
                assertEquals(ErrorKind.CLOSED, (runCatching { client.user.info() }.exceptionOrNull() as? VitalwireException)?.kind)
            }
        }
    }

    @Test
    fun `an unpaired surrogate is rejected in every argument`() {
        val half = "\uD800"
        val responses = MockResponses.samples()
        VitalwireClient.mock(responses).use { client ->
            val calls = listOf<suspend () -> Unit>(
                { client.sleeps.get(half) },
                { client.labReports.upload(DocumentUpload.of(ByteArray(1), half)) },
                { client.nutritionRecords.upload(PictureUpload.at(half)) },
                { client.labReports.listInParts(null, RangeOptions { resumeKey = half }) { }.collectAll() },
                { client.labReports.listInParts(null, RangeOptions { resume = ResumeToken.of(half) }) { }.collectAll() },
                { client.user.info { header(half, "v") } },
            )
            for (call in calls) assertEquals(ErrorKind.INVALID_ARGUMENT, expectFailure(call).kind)
            assertTrue(responses.requests().isEmpty())
        }
    }

    @Test
    fun `a stored text that is no resume token is an invalid argument`() {
        val end = "00112233445566778899aabbccddeeff"
        val texts = listOf(
            "", "[".repeat(100_000), "{\"vwr1\":".repeat(10_000), "x".repeat(10 shl 20), "\u0000", "\u001B[31m", "\uD800",
            "vwr2/daily_statistics/2d/2025-01-01/2025-01-10/0-4/$end",
            "vwr1/daily_statistics/2d/2025-01-01/2025-01-10/0-5/$end",
            "vwr1/daily_statistics/2d/2025-01-01/2025-01-10/-1/$end",
            "vwr1/daily_statistics/2d/2025-01-01/2025-01-10/0-99999999999999999999/$end",
            "vwr1/daily_statistics/4294967296d/2025-01-01/2025-01-10/0-4/$end",
            "vwr1/daily\u0007/2d/2025-01-01/2025-01-10/0-4/$end",
        )
        val responses = MockResponses.samples()
        VitalwireClient.mock(responses).use { client ->
            for (text in texts) {
                val token = ResumeToken.of(text)
                val uses = listOf<suspend () -> Unit>(
                    { token.partsLeft },
                    { client.labReports.listInParts(null, RangeOptions { resume = token }) { }.collectAll() },
                )
                for (use in uses) assertEquals(ErrorKind.INVALID_ARGUMENT, expectFailure(use).kind)
            }
            assertTrue(responses.requests().isEmpty())
        }
    }

    @Test
    fun `an unpaired surrogate from a callback fails the call at once`() {
        val half = "CANARY\uD800"
        assertEquals(ErrorKind.INVALID_ARGUMENT, assertThrows<VitalwireException> { AccessToken.of(half) }.kind)
        val uncaught = CopyOnWriteArrayList<Throwable>()
        val earlier = Thread.getDefaultUncaughtExceptionHandler()
        Thread.setDefaultUncaughtExceptionHandler { _, error -> uncaught += error }
        try {
            val providers = listOf<suspend () -> AccessToken>({ AccessToken(half) }, { throw IllegalStateException(half) },
                { throw AssertionError(half) })
            for (provider in providers) {
                val client = VitalwireClient {
                    baseUrl = nowhere
                    timeout = 20.seconds
                    tokenProvider { provider() }
                }
                val start = System.nanoTime()
                assertEquals(ErrorKind.AUTHENTICATION, expectFailure { client.user.info() }.kind)
                assertTrue(System.nanoTime() - start < 10_000_000_000)
            }
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(earlier)
        }
        assertEquals(emptyList<Throwable>(), uncaught)
    }

    @Test
    fun `exceptions of an attempt callback are dropped`() {
        val raised = CopyOnWriteArrayList<Throwable>()
        val earlier = Native.getCallbackExceptionHandler()
        Native.setCallbackExceptionHandler { _, error -> raised += error }
        try {
            for (exception in listOf(IllegalStateException("CANARY\uD800"), AssertionError("CANARY"), IllegalStateException("CANARY"))) {
                val client = VitalwireClient {
                    mockResponses = MockResponses.samples()
                    onAttempt { throw exception }
                }
                runBlocking { client.user.info() }
            }
        } finally {
            Native.setCallbackExceptionHandler(earlier)
        }
        assertEquals(emptyList<Throwable>(), raised)
    }
}
