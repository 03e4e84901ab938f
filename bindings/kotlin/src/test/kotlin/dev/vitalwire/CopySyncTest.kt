package dev.vitalwire

import java.io.IOException
import java.time.LocalDate
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.yield
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import stranger.sync.Outcome
import stranger.sync.RecordCopy
import stranger.sync.update

/** Tests the sync of the sample application `installed-android`, with mock responses. The clock of the service shows noon of 2025-11-20. */
class CopySyncTest {
    private val secret = "0123456789abcdef".toByteArray()

    /** A copy in memory. The state of each part is kept. */
    private class MemoryCopy : RecordCopy {
        val days = mutableMapOf<String?, List<String>>()
        val states = mutableListOf<ByteArray>()

        override fun state() = states.lastOrNull()

        override fun store(changes: List<Change>, state: ByteArray) {
            for (change in changes) when (change.type) {
                ChangeType.ADDED, ChangeType.CHANGED -> days[change.id] = change.jsonRows
                ChangeType.REMOVED -> days.remove(change.id)
                ChangeType.DAY_REMOVED -> days.remove("${change.day}")
            }
            states += state
        }

        override fun clear() {
            days.clear()
            states.clear()
        }
    }

    private fun response(body: String, delay: Duration = Duration.ZERO) = MockResponse {
        json = body
        // The clock of a sandbox alone counts.
        headers = mapOf("date" to "Thu, 20 Nov 2025 12:00:00 GMT", "vitalwire-sandbox" to "seed=1")
        this.delay = delay
    }

    private fun service(account: String = "user-7", days: List<MockResponse>) = MockResponses().apply {
        add("get_user_info", response("""{"application_user_id": "$account", "integrated_providers": []}"""))
        days.forEach { add("daily_statistics", it) }
    }

    private fun steps(value: Int, delay: Duration = Duration.ZERO): MockResponse {
        val day = """{"date": "2025-11-18", "values": {"steps": $value}}"""
        return response("""{"from_date": "2025-11-13", "to_date": "2025-11-21", "statistics": [$day]}""", delay)
    }

    private suspend fun update(copy: RecordCopy, responses: MockResponses, secret: ByteArray = this.secret): Outcome {
        val client = VitalwireClient {
            mockResponses = responses
            maxRetries = 0
        }
        return client.update(copy, setOf(RecordKind.DAILY), secret, "me", LocalDate.of(2025, 11, 13))
    }

    @Test
    fun `a second run reads only what is due and applies what has changed`(): Unit = runBlocking {
        val copy = MemoryCopy()
        assertEquals(Outcome.SUCCESS, update(copy, service(days = listOf(steps(7)))))
        assertEquals(mapOf("2025-11-18" to listOf("""{"date":"2025-11-18","steps":7.0}""")), copy.days)
        val news = service(days = listOf(steps(9)))
        assertEquals(Outcome.SUCCESS, update(copy, news))
        assertEquals(listOf("""{"date":"2025-11-18","steps":9.0}"""), copy.days["2025-11-18"])
        assertEquals(listOf("get_user_info", "daily_statistics"), news.requests().map { it.operation })
    }

    @Test
    fun `a transient failure is retried later and changes nothing`(): Unit = runBlocking {
        val copy = MemoryCopy()
        update(copy, service(days = listOf(steps(7))))
        val (days, states) = copy.days.toMap() to copy.states.toList()
        assertEquals(Outcome.RETRY, update(copy, service(days = listOf(MockResponse { status = 503 }))))
        assertEquals(days to states, copy.days to copy.states)
        assertEquals(Outcome.FAILURE, update(copy, service(days = listOf(MockResponse { status = 403 }))))
        assertEquals(days to states, copy.days to copy.states)
    }

    @Test
    fun `an outage of the app's server is retried later, but not a rejected sign-in`(): Unit = runBlocking {
        val copy = MemoryCopy()
        suspend fun update(failure: Exception): Outcome {
            val client = VitalwireClient {
                mockResponses = service(days = listOf(steps(7)))
                maxRetries = 0
                tokenProvider { throw failure }
            }
            return client.update(copy, setOf(RecordKind.DAILY), secret, "me", LocalDate.of(2025, 11, 13))
        }
        assertEquals(Outcome.RETRY, update(IOException("no network")))
        assertEquals(Outcome.FAILURE, update(IllegalStateException("the user must sign in again")))
        assertNull(copy.state())
    }

    @Test
    fun `a state that cannot be used empties the copy, and the next run fills it`(): Unit = runBlocking {
        val copy = MemoryCopy()
        update(copy, service(days = listOf(steps(7))))
        val other = "another secret of ours".toByteArray()
        assertEquals(Outcome.RETRY, update(copy, service(days = listOf(steps(8))), other))
        assertTrue(copy.days.isEmpty())
        assertNull(copy.state())
        assertEquals(Outcome.SUCCESS, update(copy, service(days = listOf(steps(8))), other))
        assertEquals(listOf("""{"date":"2025-11-18","steps":8.0}"""), copy.days["2025-11-18"])
    }

    @Test
    fun `the token of another user fails and keeps the copy`(): Unit = runBlocking {
        val copy = MemoryCopy()
        update(copy, service(days = listOf(steps(7))))
        assertEquals(Outcome.FAILURE, update(copy, service("user-8", days = listOf(steps(8)))))
        assertEquals(listOf("""{"date":"2025-11-18","steps":7.0}"""), copy.days["2025-11-18"])
        assertEquals(1, copy.states.size)
    }

    @Test
    fun `a run that the system stops is cancelled, and the next one can start`(): Unit = runBlocking {
        val copy = MemoryCopy()
        val slow = service(days = listOf(steps(7, delay = 60.seconds)))
        val work = launch { update(copy, slow) }
        while (slow.requests().none { it.operation == "daily_statistics" }) yield()
        work.cancelAndJoin()
        assertNull(copy.state())
        assertEquals(Outcome.SUCCESS, update(copy, service(days = listOf(steps(7)))))
    }

    @Test
    fun `runs at the same time follow each other`(): Unit = runBlocking {
        val copy = MemoryCopy()
        val outcomes = List(4) { async { update(copy, service(days = listOf(steps(7, delay = 0.1.seconds)))) } }.awaitAll()
        assertEquals(List(4) { Outcome.SUCCESS }, outcomes)
        assertEquals(copy.states.map(SyncCall::generation).sorted().distinct(), copy.states.map(SyncCall::generation))
    }
}
