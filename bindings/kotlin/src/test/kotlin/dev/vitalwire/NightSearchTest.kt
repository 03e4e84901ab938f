package dev.vitalwire

import java.time.LocalDate
import java.util.Collections
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
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

/** Tests searches for sleeps by their days, with mock responses. */
class NightSearchTest {
    private val first = LocalDate.of(2025, 3, 1)
    private val last = LocalDate.of(2025, 3, 3)

    private fun day(date: LocalDate, vararg ids: String) =
        """{"date": "$date", "record_ids": [${ids.joinToString { "\"$it\"" }}], "values": {"sleep_duration_total": 1}}"""

    /** Creates mock responses: these sleeps, and statistics of three days. They list a nap and a night, no sleep, and a night. */
    private fun mockSleeps(vararg sleeps: MockResponse) = MockResponses().apply {
        val days = listOf(day(first, "nap", "a"), day(last, "b"))
        add("daily_statistics",
            MockResponse.json("""{"from_date": "$first", "to_date": "$last", "statistics": [${days.joinToString()}]}"""))
        sleeps.forEach { add("get_sleep", it) }
    }

    private fun sleep(id: String, delay: Duration = Duration.ZERO) = MockResponse {
        json = """{"sleep_id": "$id", "duration": 1, "start_at_timestamp": "2025-03-01T00:00:00Z", "modified_at": "2025-03-01T08:00:00Z"}"""
        this.delay = delay
    }

    private fun search(responses: MockResponses, options: RangeOptions.Builder.() -> Unit = {}): NightSearch {
        val client = VitalwireClient {
            this.mockResponses = responses
        }
        val range = RangeOptions {
            concurrency = 1
            options()
        }
        return client.sleeps.between(first, last, range) { maxRetries = 0 }
    }

    private fun expectFailure(work: suspend () -> Unit) = assertThrows<VitalwireException> { runBlocking { work() } }

    private val MergedRange<List<Night>>.ids get() = response.map { it.record.id }

    @Test
    fun `nights are returned in the order of their days`(): Unit = runBlocking {
        val found = search(mockSleeps(sleep("nap"), sleep("a"), sleep("b"))).found.toList()
        assertEquals(listOf("nap", "a", "b"), found.map { it.night.record.id })
        assertEquals(listOf(listOf(first), listOf(first), listOf(last)), found.map { it.days })
        assertEquals(found.map { it.days }, found.map { it.night.days })
        assertNull(found.last().resumeToken)
        assertNotNull(found.first().resumeToken)
    }

    @Test
    fun `nights are collected with their days`(): Unit = runBlocking {
        val reports = Collections.synchronizedList(mutableListOf<RangeProgress>())
        val all = search(mockSleeps(sleep("nap"), sleep("a"), sleep("b"))).collectAll { reports += it }
        assertEquals(listOf("nap", "a", "b"), all.ids)
        assertEquals(listOf(listOf(first), listOf(first), listOf(last)), all.response.map { it.days })
        assertEquals(listOf(0 to 2, 2 to 2, 2 to 3), all.parts.map { it.start to it.end })
        assertEquals(RangeBounds.Days(first, first), all.parts.first().range)
        assertEquals(listOf(3, 3), reports.last().let { listOf(it.done, it.total) })
        assertEquals(3L, reports.last().items)
        assertNull(all.resumeToken)
    }

    @Test
    fun `a failed search keeps its nights and can be resumed`(): Unit = runBlocking {
        val broken = search(mockSleeps(sleep("nap"), sleep("a"), MockResponse.status(503)))
        val error = expectFailure { broken.collectAll() }
        assertEquals(ErrorKind.SERVICE, error.kind)
        val before = checkNotNull(broken.partialResult(error))
        assertEquals(listOf("nap", "a"), before.ids)
        assertNull(search(mockSleeps()).partialResult(error))
        val token = checkNotNull(error.resumeToken)
        assertEquals(1, token.partsLeft)
        val rest = search(mockSleeps(sleep("b"))) { resume = ResumeToken.of(token.text) }.collectAll()
        assertEquals(listOf("nap", "a", "b"), before.merge(rest).ids)
    }

    @Test
    fun `failed days are returned if failures are collected`(): Unit = runBlocking {
        val found = search(mockSleeps(MockResponse.status(503), sleep("b"))) { collectsFailures = true }.found.toList()
        assertEquals(listOf(ErrorKind.SERVICE, null), found.map { it.failure?.kind })
        assertEquals(listOf(first), found.first().days)
        assertSame(found.first().failure, expectFailure { found.first().night })
        assertEquals("b", found.last().night.record.id)
    }

    private fun tableSleep(id: String, day: LocalDate, start: String, duration: Int, metrics: String) = MockResponse.json(
        """{"sleep_id": "$id", "sleep_date": "$day", "start_at_timestamp": "$start", "modified_at": "2025-03-04T08:00:00Z",
            "duration": $duration, "metrics": $metrics}""",
    )

    /** Sleeps of the table: a nap of 20 minutes, a night of eight hours, and a night of seven and a half hours. */
    private val tableSleeps = listOf(
        tableSleep("nap", first, "2025-03-01T12:00:00Z", 1_200_000, """{"sleep_duration_nap": 1200000}"""),
        tableSleep("a", first, "2025-02-28T22:00:00Z", 28_800_000, """{"sleep_efficiency": 92.5}"""),
        tableSleep("b", last, "2025-03-02T22:30:00Z", 27_000_000, "{}"),
    )

    /** Returns the numbers of a column, with null for missing values. */
    private fun Table.numbers(name: String) =
        checkNotNull(this[name]) { name }.series.map { value -> value.takeUnless { it.isNaN() } }

    private val MergedRange<Table>.sleepIds get() = response["sleep_id"]?.texts

    @Test
    fun `nights are collected as a table`(): Unit = runBlocking {
        val reports = Collections.synchronizedList(mutableListOf<RangeProgress>())
        val all = search(mockSleeps(*tableSleeps.toTypedArray())).collectSleepsTable { reports += it }
        val table = all.response
        assertEquals(3, table.rows)
        assertEquals(listOf("nap", "a", "b"), all.sleepIds)
        assertEquals(listOf(first, first, last), table["sleep_date"]?.days())
        assertEquals(listOf(1.0, 0.0, 0.0), table.numbers("is_nap"))
        assertEquals(listOf(1_200_000.0, 28_800_000.0, 27_000_000.0), table.numbers("duration"))
        assertEquals(listOf(null, 92.5, null), table.numbers("sleep_efficiency"))
        assertEquals("percent", table["sleep_efficiency"]?.unit)
        assertEquals(listOf(0 to 2, 2 to 2, 2 to 3), all.parts.map { it.start to it.end })
        assertEquals(3 to 3L, reports.last().let { it.done to it.items })
        assertNull(all.resumeToken)
    }

    @Test
    fun `days without a sleep are rows on request`(): Unit = runBlocking {
        val reports = Collections.synchronizedList(mutableListOf<RangeProgress>())
        val all = search(mockSleeps(*tableSleeps.toTypedArray())).collectSleepsTable(missingRows = true) { reports += it }
        val table = all.response
        assertEquals(listOf("nap", "a", null, "b"), all.sleepIds)
        assertEquals(listOf(first, first, first.plusDays(1), last), table["sleep_date"]?.days())
        assertEquals(listOf(1.0, 0.0, null, 0.0), table.numbers("is_nap"))
        for (column in table.columns.filter { it.name != "sleep_date" }) {
            assertTrue(if (column.kind == Table.Column.Kind.TEXT) column.texts[2] == null else column.series[2].isNaN(), column.name)
        }
        assertEquals(listOf(0 to 2, 2 to 3, 3 to 4), all.parts.map { it.start to it.end })
        assertEquals(3 to 4L, reports.last().let { it.done to it.items })
    }

    @Test
    fun `a failed table keeps its rows and can be resumed`(): Unit = runBlocking {
        val broken = search(mockSleeps(tableSleeps[0], tableSleeps[1], MockResponse.status(503)))
        val error = expectFailure { broken.collectSleepsTable(missingRows = true) }
        assertEquals(ErrorKind.SERVICE, error.kind)
        assertNull(broken.partialResult(error))
        val before = checkNotNull(broken.partialSleepsTable(error))
        assertEquals(listOf("nap", "a", null), before.sleepIds)
        assertNull(search(mockSleeps()).partialSleepsTable(error))
        val token = checkNotNull(error.resumeToken)
        val rest = search(mockSleeps(tableSleeps[2])) { resume = token }.collectSleepsTable(missingRows = true)
        assertEquals(listOf("nap", "a", null, "b"), before.merge(rest).sleepIds)
    }

    @Test
    fun `failed days have no row`(): Unit = runBlocking {
        val search = search(mockSleeps(MockResponse.status(503), tableSleeps[2])) { collectsFailures = true }
        val all = search.collectSleepsTable(missingRows = true)
        assertEquals(listOf(null, "b"), all.sleepIds)
        assertEquals(listOf(first.plusDays(1), last), all.response["sleep_date"]?.days())
        assertEquals(listOf(0 to ErrorKind.SERVICE), all.failures.map { it.index to it.error.kind })
        assertEquals(1, all.resumeToken?.partsLeft)
    }

    @Test
    fun `a cancelled search keeps the nights read so far`(): Unit = runBlocking {
        val search = search(mockSleeps(sleep("nap"), sleep("a"), sleep("b", 60.seconds)))
        var known: RangeCancelledException? = null
        val job = launch(Dispatchers.Default) {
            try {
                search.collectAll { if (it.items == 2L) coroutineContext[Job]?.cancel() }
            } catch (error: RangeCancelledException) {
                known = error
                throw error
            }
        }
        job.join()
        assertTrue(job.isCancelled)
        assertEquals(listOf("nap", "a"), known?.let(search::partialResult)?.ids)
        val token = known?.resumeToken
        assertEquals(listOf("b"), search(mockSleeps(sleep("b"))) { resume = token }.collectAll().ids)
    }

    @Test
    fun `a cancelled collector has a token for the remaining days`(): Unit = runBlocking {
        val search = search(mockSleeps(sleep("nap"), sleep("a"), sleep("b", 60.seconds)))
        val two = CompletableDeferred<Unit>()
        var known: RangeCancelledException? = null
        val job = launch(Dispatchers.Default) {
            var count = 0
            try {
                search.found.collect { if (++count == 2) two.complete(Unit) }
            } catch (error: RangeCancelledException) {
                known = error
                throw error
            }
        }
        two.await()
        job.cancel()
        job.join()
        // The third day remains. The second day, which has no sleep, may remain too.
        assertTrue(known?.resumeToken?.partsLeft in 1..2, "${known?.resumeToken?.partsLeft}")
    }

    @Test
    fun `reversed days are rejected before any request`() {
        val responses = MockResponses()
        val client = VitalwireClient { this.mockResponses = responses }
        assertEquals(ErrorKind.INVALID_ARGUMENT, expectFailure { client.sleeps.between(last, first).found.first() }.kind)
        assertTrue(responses.requests().isEmpty())
    }

    @Test
    fun `options are sent to both operations`(): Unit = runBlocking {
        val responses = mockSleeps(sleep("nap"), sleep("a"), sleep("b"))
        val client = VitalwireClient { this.mockResponses = responses }
        client.sleeps.between(first, last) {
            includeStages = true
            includeSamples = false
            providers = listOf(ProviderSlug.GARMIN)
            excludeManual = true
        }.collectAll()
        val asked = responses.requests().groupBy({ it.operation }) { it.query.toMap() }
        val statistics = asked.getValue("daily_statistics").single()
        assertEquals(listOf("garmin", "true"), listOf("providers", "exclude_manual").map { statistics[it] })
        assertTrue(asked.getValue("get_sleep").all { it["include_stages"] == "true" && it["include_samples"] == "false" })
        assertEquals(3, asked.getValue("get_sleep").size)
    }

    @Test
    fun `fakes create nights`(): Unit = runBlocking {
        val night = Night.of(listOf(first), SleepRecord { score = 80 })
        val fake = object : Sleeps {
            override fun between(first: LocalDate, last: LocalDate, options: SleepsBetweenOptions, range: RangeOptions) =
                NightSearch.of(listOf(night, night))
        }
        val reports = mutableListOf<Double>()
        assertEquals(listOf(night, night), fake.between(first, last).collectAll { reports += it.fraction }.response)
        assertEquals(listOf(0.5, 1.0), reports)
        val table = fake.between(first, last).collectSleepsTable(missingRows = true) { reports += it.fraction }.response
        assertEquals(listOf(80.0, 80.0), table.numbers("score"))
        assertEquals(4, reports.size)
        val found = fake.between(first, last) { includeStages = true }.found.toList()
        assertEquals(listOf(night to 1, night to 2), found.map { it.night to it.progress.done })
        val reader = fake.between(first, last).open()
        assertNull(reader.progress)
        assertSame(night, reader.next()?.night)
        reader.close()
        assertNull(reader.next())
        assertEquals(night, Night.of(listOf(first), SleepRecord { score = 80 }))
        val bare = object : NightSearch {
            override suspend fun collectAll(onProgress: (RangeProgress) -> Unit) = MergedRange.of(listOf(night))
        }
        assertThrows<UnsupportedOperationException> { runBlocking { bare.found.toList() } }
        assertThrows<UnsupportedOperationException> { runBlocking { bare.collectSleepsTable() } }
        assertNull(bare.partialResult(IllegalStateException()))
        assertNull(bare.partialSleepsTable(IllegalStateException()))
        assertThrows<UnsupportedOperationException> { object : Sleeps {}.between(first, last) }
    }

    @Test
    fun `toString shows no values`(): Unit = runBlocking {
        val search = search(mockSleeps(sleep("CANARY"), sleep("CANARY-a"), sleep("CANARY-b"))) { resumeKey = "CANARY" }
        val found = search.found.toList()
        val options = SleepsBetweenOptions { providers = listOf(ProviderSlug("CANARY")) }
        val shown = "$search $found ${found.map { it.night }} ${found.map { it.resumeToken }} $options"
        for (canary in listOf("CANARY", "2025-")) assertFalse(canary in shown, shown)
    }
}
