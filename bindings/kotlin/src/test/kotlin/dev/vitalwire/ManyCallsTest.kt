package dev.vitalwire

import dev.vitalwire.testing.Call
import dev.vitalwire.testing.answering
import dev.vitalwire.testing.of
import kotlin.time.Duration.Companion.milliseconds
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.cancel
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.assertThrows

/** Calls of one client at once, within each other, and ended at each moment. */
class ManyCallsTest {
    @Test
    fun `a provider that calls its own client is ended by the deadline`() {
        lateinit var own: VitalwireClient
        own = VitalwireClient {
            baseUrl = "http://127.0.0.1:9"
            tokenProvider { AccessToken(own.user.info { timeout = 300.milliseconds }.uid.orEmpty()) }
        }
        val error = assertThrows<VitalwireException> { runBlocking { own.user.info { timeout = 600.milliseconds } } }
        assertTrue(error.kind == ErrorKind.TIMEOUT || error.kind == ErrorKind.AUTHENTICATION, "${error.kind}")
    }

    @Test
    fun `a hundred calls at once ask each its own question`(): Unit = runBlocking {
        val answers = Answers.samples()
        VitalwireClient.answering(answers).use { client ->
            List(100) { async(Dispatchers.Default) { client.sleeps.get("night-$it") } }.awaitAll()
        }
        assertEquals((0 until 100).map { "night-$it" }.toSet(), answers.requested().map { it.path.substringAfterLast('/') }.toSet())
        assertEquals(100, answers.requested().size)
    }

    @Test
    fun `a call that is cancelled before it starts requests nothing`(): Unit = runBlocking {
        val answers = Answers.samples()
        VitalwireClient.answering(answers).use { client ->
            client.user.info()
            launch(start = CoroutineStart.UNDISPATCHED) {
                coroutineContext.cancel()
                assertThrows<CancellationException> { client.user.info() }
            }.join()
            assertEquals(1, answers.requested().size)
        }
    }

    @Test
    fun `a call that is cancelled while its answer is read ends either way`(): Unit = runBlocking {
        val numbers = Series.of(*DoubleArray(80_000) { it % 200.0 })
        val night = SleepRecord {
            id = "s-1"
            samples = SleepSamples { offsets = numbers }
        }
        VitalwireClient.answering(Answers().answering(Call.SLEEPS_GET, night)).use { client ->
            assertEquals(80_000, client.sleeps.get("s-1").samples?.offsets?.size)
            for (wait in 0 until 20) {
                val call = async(Dispatchers.Default) { runCatching { client.sleeps.get("s-1") } }
                delay((wait * 2).milliseconds)
                call.cancel()
                val result = runCatching { call.await().getOrThrow() }
                result.onFailure { assertTrue(it is CancellationException, "${it.javaClass}") }.onSuccess { assertEquals("s-1", it.id) }
            }
            assertEquals("s-1", client.sleeps.get("s-1").id)
        }
    }
}
