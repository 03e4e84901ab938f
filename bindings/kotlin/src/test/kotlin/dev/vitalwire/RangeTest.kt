package dev.vitalwire

import java.time.Instant
import java.time.LocalDate
import java.util.Collections
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertNotNull
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.assertThrows

/** Tests range calls, with mock responses. */
class RangeTest {
    private val first = LocalDate.of(2025, 3, 1)
    private val last = LocalDate.of(2025, 3, 6)
    private val steps = listOf(StatisticName.STEPS)

    private fun day(number: Int) = """{"date": "2025-03-0$number", "values": {"steps": $number}}"""

    /** Creates a mock response with two days. */
    private fun days(number: Int, delay: Duration = Duration.ZERO) = MockResponse {
        val days = "${day(number)}, ${day(number + 1)}"
        json = """{"from_date": "2025-03-0$number", "to_date": "2025-03-0${number + 1}", "statistics": [$days]}"""
        this.delay = delay
    }

    private fun mockStatistics(vararg given: MockResponse) = MockResponses().apply { given.forEach { add("daily_statistics", it) } }

    private fun client(responses: MockResponses) = VitalwireClient {
        this.mockResponses = responses
    }

    private fun range(responses: MockResponses, options: RangeOptions.Builder.() -> Unit = {}): RangeCall<DailyStatistics> {
        val range = RangeOptions {
            concurrency = 1
            options()
        }
        return client(responses).statistics.dailyInParts(first, last, steps, PartLength.days(2), range) { maxRetries = 0 }
    }

    private fun expectFailure(work: suspend () -> Unit) = assertThrows<VitalwireException> { runBlocking { work() } }

    private val DailyStatistics.counts get() = statistics.map { it.values?.steps?.toInt() }

    @Test
    fun `parts are returned in order with their days and a resume token`(): Unit = runBlocking {
        val parts = range(mockStatistics(days(1), days(3), days(5))).parts.toList()
        assertEquals((1..6).toList(), parts.flatMap { it.response.counts })
        assertEquals(listOf(1, 3, 5), parts.map { (it.range as RangeBounds.Days).first.dayOfMonth })
        assertEquals(listOf(2, 4, 6), parts.map { (it.range as RangeBounds.Days).last.dayOfMonth })
        assertEquals(listOf(1.0 / 3, 2.0 / 3, 1.0), parts.map { it.progress.fraction })
        assertEquals(listOf(2, 1, null), parts.map { it.resumeToken?.partsLeft })
    }

    @Test
    fun `parts are merged and their progress is reported`(): Unit = runBlocking {
        val reports = Collections.synchronizedList(mutableListOf<RangeProgress>())
        val merged = range(mockStatistics(days(1), days(3), days(5))).collectAll { reports += it }
        assertEquals((1..6).toList(), merged.response.counts)
        assertEquals(listOf(0 to 2, 2 to 4, 4 to 6), merged.parts.map { it.start to it.end })
        assertEquals(listOf(1, 2, 3), reports.map { it.done })
        assertEquals(listOf(2L, 4L, 6L), reports.map { it.items })
        assertTrue(reports.all { it.total == 3 })
        assertNull(merged.resumeToken)
        assertEquals(listOf(1.0, 2.0, 3.0, 4.0, 5.0, 6.0), merged.response.table()["steps"]?.series?.toList())
    }

    @Test
    fun `a failed range keeps its parts and a resume token`(): Unit = runBlocking {
        val broken = range(mockStatistics(days(1), MockResponse.status(503))) { resumeKey = "person-1" }
        val error = expectFailure { broken.collectAll() }
        assertEquals(ErrorKind.SERVICE, error.kind)
        val before = checkNotNull(broken.partialResult(error))
        assertEquals(listOf(1, 2), before.response.counts)
        assertNull(range(mockStatistics()).partialResult(error))
        val token = checkNotNull(error.resumeToken)
        assertEquals(2, token.partsLeft)
        assertEquals("daily_statistics", token.operation)
        assertEquals(first, (token.range as RangeBounds.Days).first)

        val stored = ResumeToken.of(token.text)
        assertEquals(token, stored)
        val rest = range(mockStatistics(days(3), days(5))) {
            resume = stored
            resumeKey = "person-1"
        }.collectAll()
        val whole = before.merge(rest)
        assertEquals((1..6).toList(), whole.response.counts)
        assertNull(whole.resumeToken)
        assertEquals(ErrorKind.INVALID_ARGUMENT, expectFailure { before.merge(MergedRange.of(whole.response)) }.kind)

        for (foreign in listOf(stored, ResumeToken.of("no token"))) {
            val responses = mockStatistics(days(3))
            assertEquals(ErrorKind.INVALID_ARGUMENT, expectFailure { range(responses) { resume = foreign }.collectAll() }.kind)
            assertTrue(responses.requests().isEmpty())
        }
        assertEquals(ErrorKind.INVALID_ARGUMENT, expectFailure { ResumeToken.of("no token").partsLeft }.kind)
    }

    @Test
    fun `failures are collected on request`(): Unit = runBlocking {
        fun collecting() = range(mockStatistics(days(1), MockResponse.status(503), days(5))) { collectsFailures = true }
        val merged = collecting().collectAll()
        assertEquals(listOf(1 to ErrorKind.SERVICE), merged.failures.map { it.index to it.error.kind })
        assertEquals(1, merged.resumeToken?.partsLeft)
        val parts = collecting().parts.toList()
        assertEquals(listOf(false, true, false), parts.map { it.failure != null })
        assertSame(parts[1].failure, expectFailure { parts[1].response })
    }

    @Test
    fun `invalid bounds and lengths are rejected before any request`() {
        val responses = MockResponses()
        val api = client(responses)
        assertEquals(ErrorKind.INVALID_ARGUMENT,
            expectFailure { api.statistics.dailyInParts(last, first, steps, PartLength.days(1)).collectAll() }.kind)
        assertEquals(ErrorKind.INVALID_ARGUMENT,
            expectFailure { api.statistics.dailyInParts(first, last, steps, PartLength.hours(1)).collectAll() }.kind)
        val now = Instant.now()
        for (length in listOf(0, -1, Int.MAX_VALUE)) {
            val range = api.labReports.listInParts(PartLength.hours(length), RangeOptions { concurrency = 0 }) {
                from = now.minusSeconds(3_600)
                to = now
            }
            assertEquals(ErrorKind.INVALID_ARGUMENT, expectFailure { range.parts.first() }.kind)
        }
        assertTrue(responses.requests().isEmpty())
    }

    @Test
    fun `a cancelled range keeps the parts read so far`(): Unit = runBlocking {
        val slow = range(mockStatistics(days(1), days(3, 60.seconds)))
        var known: RangeCancelledException? = null
        val job = launch(Dispatchers.Default) {
            try {
                slow.collectAll { if (it.done == 1) coroutineContext[kotlinx.coroutines.Job]?.cancel() }
            } catch (error: RangeCancelledException) {
                known = error
                throw error
            }
        }
        job.join()
        assertTrue(job.isCancelled)
        assertEquals(2, known?.resumeToken?.partsLeft)
        assertEquals(listOf(1, 2), known?.let(slow::partialResult)?.response?.counts)
    }

    @Test
    fun `a cancelled collector has a token for the remaining parts`(): Unit = runBlocking {
        val slow = range(mockStatistics(days(1), days(3, 60.seconds)))
        var known: RangeCancelledException? = null
        val job = launch(Dispatchers.Default) {
            try {
                slow.parts.collect { }
            } catch (error: RangeCancelledException) {
                known = error
                throw error
            }
        }
        delay(300.milliseconds)
        job.cancel()
        job.join()
        assertEquals(2, known?.resumeToken?.partsLeft)
    }

    @Test
    fun `concurrent reads are rejected and closing ends a reading`(): Unit = runBlocking {
        val parts = range(mockStatistics(days(1), days(3, 60.seconds))).open()
        assertNull(parts.progress)
        assertEquals(0, parts.next()?.index)
        val first = async(Dispatchers.Default) { runCatching { parts.next() } }
        delay(100.milliseconds)
        assertEquals(ErrorKind.CONFIGURATION, expectFailure { parts.next() }.kind)
        parts.close()
        assertEquals(ErrorKind.CANCELLED, (first.await().exceptionOrNull() as? VitalwireException)?.kind)
        assertNull(parts.next())
        assertEquals(2, parts.resumeToken?.partsLeft)
        assertEquals(1, parts.progress?.done)
    }

    @Test
    fun `a collector that stops early requests no further part, and a closed client none`(): Unit = runBlocking {
        val responses = mockStatistics(days(1), days(3, 50.milliseconds), days(5))
        assertEquals(0, range(responses).parts.first().index)
        delay(300.milliseconds)
        assertTrue(responses.requests().size <= 2)
        val closed = client(mockStatistics(days(1)))
        val range = closed.statistics.dailyInParts(first, last, steps, PartLength.days(2))
        closed.close()
        assertEquals(ErrorKind.CLOSED, expectFailure { range.collectAll() }.kind)
        assertEquals(ErrorKind.CLOSED, expectFailure { range.parts.toList() }.kind)
    }

    @Test
    fun `an exception of a listener ends the range`() {
        val raised = assertThrows<IllegalStateException> {
            runBlocking { range(mockStatistics(days(1), days(3, 60.seconds))).collectAll { error("in a listener") } }
        }
        assertEquals("in a listener", raised.message)
    }

    @Test
    fun `fakes create ranges`(): Unit = runBlocking {
        val record = DailyStatistics { fromDate = first }
        val fake = object : RangeCall<DailyStatistics> {
            override suspend fun collectAll(onProgress: (RangeProgress) -> Unit) = MergedRange.of(record)
        }
        assertSame(record, fake.collectAll().response)
        assertSame(record, RangePart.of(0, 2, record).response)
        assertEquals(0.5, RangePart.of(0, 2, record).progress.fraction)
        assertThrows<UnsupportedOperationException> { runBlocking { fake.parts.toList() } }
    }

    @Test
    fun `toString shows no values`(): Unit = runBlocking {
        val broken = range(mockStatistics(days(1), MockResponse.status(503))) { resumeKey = "CANARY" }
        val error = expectFailure { broken.collectAll() }
        val parts = range(mockStatistics(days(1), days(3), days(5))).parts.toList()
        val merged = range(mockStatistics(days(1), days(3), days(5))).collectAll()
        val shown = listOf(
            broken, error, error.stackTraceToString(), error.resumeToken, error.resumeToken?.range, broken.partialResult(error), parts,
            parts.map { listOf(it.range, it.progress, it.resumeToken) }, merged, merged.parts, merged.parts.map { it.range },
            RangeOptions { resumeKey = "CANARY" },
        )
        for (canary in listOf("CANARY", "2025-", "steps=")) assertFalse(canary in "$shown", "$shown")
        assertNotNull(broken.partialResult(error))
    }
}
