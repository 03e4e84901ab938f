package dev.vitalwire

import java.time.Instant
import java.time.LocalDate
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertNotEquals
import org.junit.jupiter.api.Assertions.assertNotNull
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.assertThrows

/** Tests syncs, with mock responses. The clock of the service shows noon of 2025-11-20. */
class SyncTest {
    private val secret = "0123456789abcdef".toByteArray()
    private val first = LocalDate.of(2025, 11, 10)
    private val daily = setOf(RecordKind.DAILY)

    /** Steps of all days from the 10th to the 20th, except the 15th. */
    private val steps = (10..20).filter { it != 15 }.associateWith { 1_000 + it }

    private fun response(body: String, delay: Duration = Duration.ZERO) = MockResponse {
        json = body
        // The clock of a sandbox alone counts.
        headers = mapOf("date" to "Thu, 20 Nov 2025 12:00:00 GMT", "vitalwire-sandbox" to "seed=1")
        this.delay = delay
    }

    private fun days(steps: Map<Int, Int>): MockResponse {
        val days = steps.map { (day, value) -> """{"date": "2025-11-$day", "values": {"steps": $value}}""" }
        return response("""{"from_date": "2025-11-10", "to_date": "2025-11-21", "statistics": [${days.joinToString()}]}""")
    }

    private fun hours(delay: Duration = Duration.ZERO): MockResponse {
        val hour = """{"from_timestamp": "2025-11-19T07:00:00Z", "to_timestamp": "2025-11-19T08:00:00Z", "values": {"steps": 7}}"""
        return response("""{"statistics": [$hour]}""", delay)
    }

    private fun service(steps: Map<Int, Int>, hours: MockResponse = hours()) = MockResponses().apply {
        add("get_user_info", response("""{"application_user_id": "user-7", "integrated_providers": []}"""))
        add("daily_statistics", days(steps))
        add("interval_statistics", hours)
    }

    private fun client(responses: MockResponses, url: String? = null) = VitalwireClient {
        mockResponses = responses
        maxRetries = 0
        if (url != null) baseUrl = url
    }

    private fun sync(
        responses: MockResponses,
        state: ByteArray? = null,
        kinds: Set<RecordKind> = daily,
        user: String = "me",
        options: SyncOptions.Builder.() -> Unit = {},
    ): SyncCall = client(responses).sync(kinds, secret, user, state) {
        from = first
        options()
    }

    /** Returns the only part of a sync. */
    private suspend fun part(call: SyncCall): SyncPart = call.parts.toList().single()

    private fun synced(): ByteArray = runBlocking { part(sync(service(steps))).state }

    private fun SyncPart.shown() = changes.map { "${it.type} ${it.id} ${it.day}" }

    private fun expectFailure(work: suspend () -> Unit) = assertThrows<VitalwireException> { runBlocking { work() } }

    @Test
    fun `a first sync returns every record as added`(): Unit = runBlocking {
        val part = part(sync(service(steps)))
        assertEquals(steps.keys.map { "ADDED 2025-11-$it 2025-11-$it" }, part.shown())
        // The next day has begun in the first time zones.
        assertEquals(LocalDate.of(2025, 11, 10) to LocalDate.of(2025, 11, 21), part.days.first to part.days.last)
        assertEquals(listOf(RecordKind.DAILY), part.kinds)
        assertEquals(SyncProgress(12, 12), part.progress)
        assertEquals(1.0, part.progress.fraction)
        assertFalse(part.hasMore)
        assertEquals(0, part.leftOut)
        assertEquals(listOf("""{"date":"2025-11-10","steps":1010.0}"""), part.changes.first().jsonRows)
        assertTrue(part.changes.all { it.before == null && it.after?.length == 12 })
        assertEquals(steps.values.map { it.toDouble() }, part.table(RecordKind.DAILY)?.get("steps")?.series?.toList())
        assertNull(part.table(RecordKind.SLEEPS))
        assertEquals(part.generation, SyncCall.generation(part.state))
        assertTrue(SyncCall.generation(part.stateBefore) < part.generation)
    }

    @Test
    fun `a sync without news returns no change`(): Unit = runBlocking {
        val state = synced()
        val responses = service(steps.filterKeys { it >= 13 })
        val part = part(sync(responses, state))
        assertEquals(emptyList<String>(), part.shown())
        // The 19th is the last day that is over, so the look-back of 7 days begins on the 13th.
        assertEquals(LocalDate.of(2025, 11, 13), part.days.first)
        assertEquals(listOf("get_user_info", "daily_statistics"), responses.requests().map { it.operation })
        assertTrue(part.generation > SyncCall.generation(state))
    }

    @Test
    fun `late, changed and removed days are found`(): Unit = runBlocking {
        val news = steps.filterKeys { it >= 13 } - 17 + mapOf(15 to 15, 19 to 5)
        val part = part(sync(service(news.toSortedMap()), synced()))
        assertEquals(
            setOf("ADDED 2025-11-15 2025-11-15", "CHANGED 2025-11-19 2025-11-19", "REMOVED 2025-11-17 2025-11-17"),
            part.shown().toSet(),
        )
        val (late, changed, removed) = listOf(15, 19, 17).map { day -> part.changes.single { it.id == "2025-11-$day" } }
        assertNull(late.before)
        assertNotNull(late.after)
        assertNotEquals(changed.before, changed.after)
        assertEquals(listOf("""{"date":"2025-11-19","steps":5.0}"""), changed.jsonRows)
        assertNull(removed.after)
        assertEquals(emptyList<String>(), removed.jsonRows)
        assertEquals(emptyList<String>(), part(sync(service(news.toSortedMap()), part.state)).shown())
    }

    @Test
    fun `a state that does not match is an error of its own`() {
        val state = synced()
        val responses = service(steps)
        fun reason(call: SyncCall): StateException.Reason {
            val error = assertThrows<StateException> { runBlocking { call.parts.toList() } }
            assertTrue("start again" in error.message!!, error.message)
            assertEquals(ErrorKind.INVALID_ARGUMENT to "state", error.kind to error.argument)
            // A plan has the same error.
            assertEquals(error.stateReason, assertThrows<StateException> { runBlocking { call.plan() } }.stateReason)
            return error.stateReason
        }
        val other = "another secret of ours".toByteArray()
        val elsewhere = client(responses, "https://other.example.org")
        val newer = state.copyOf().also { it[6]++ }
        assertEquals(StateException.Reason.DAMAGED, reason(sync(responses, state.copyOf(state.size - 1))))
        assertEquals(StateException.Reason.UNSUPPORTED_VERSION, reason(sync(responses, newer)))
        assertEquals(StateException.Reason.OTHER_KEY, reason(client(responses).sync(daily, other, "me", state)))
        assertEquals(StateException.Reason.OTHER_SERVICE, reason(elsewhere.sync(daily, secret, "me", state)))
        assertEquals(StateException.Reason.OTHER_USER, reason(sync(responses, state, user = "you")))
        assertTrue(responses.requests().isEmpty())
        assertEquals(StateException.Reason.DAMAGED, assertThrows<StateException> { SyncCall.generation(ByteArray(0)) }.stateReason)
    }

    @Test
    fun `the token of another user is an error before records are read`() {
        val state = synced()
        val responses = MockResponses().apply {
            add("get_user_info", response("""{"application_user_id": "user-8", "integrated_providers": []}"""))
        }
        val error = assertThrows<StateException> { runBlocking { sync(responses, state).parts.toList() } }
        assertEquals(StateException.Reason.OTHER_USER, error.stateReason)
        val first = expectFailure { sync(responses) { expectAccount = "user-7" }.parts.toList() }
        assertEquals("token", first.argument)
        assertEquals(listOf("get_user_info", "get_user_info"), responses.requests().map { it.operation })
    }

    @Test
    fun `invalid arguments are rejected before any request`() {
        val responses = service(steps)
        fun argument(call: SyncCall) = expectFailure { call.parts.toList() }.argument
        assertEquals("kinds", argument(sync(responses, kinds = emptySet())))
        assertEquals("user", argument(sync(responses, user = "")))
        assertEquals("secret", argument(client(responses).sync(daily, ByteArray(15), "me")))
        for (days in listOf(-1, 0, 3_661)) assertEquals("lookBack", argument(sync(responses) { lookBack = days }))
        assertTrue(responses.requests().isEmpty())
    }

    @Test
    fun `a cancelled sync continues from its last state`(): Unit = runBlocking {
        val both = setOf(RecordKind.DAILY, RecordKind.HOURLY)
        val slow = service(steps, hours(60.seconds))
        val read = CompletableDeferred<SyncPart>()
        val job = launch(Dispatchers.Default) { sync(slow, kinds = both).parts.collect { read.complete(it) } }
        val part = read.await()
        assertEquals(listOf(RecordKind.DAILY), part.kinds)
        assertTrue(part.hasMore)
        while (slow.requests().none { it.operation == "interval_statistics" }) Thread.sleep(5)
        job.cancel()
        job.join()
        assertTrue(job.isCancelled)
        val rest = sync(service(steps.filterKeys { it >= 13 }), part.state, both).parts.toList()
        assertEquals(listOf("ADDED 2025-11-19T07:00:00Z 2025-11-19"), rest.flatMap { it.shown() })
        assertEquals(LocalDate.of(2025, 11, 10), rest.single { it.kinds == listOf(RecordKind.HOURLY) }.days.first)
    }

    @Test
    fun `a failed part is left out, and the error follows the other parts`(): Unit = runBlocking {
        val both = setOf(RecordKind.DAILY, RecordKind.HOURLY)
        val responses = service(steps).apply {
            clear("daily_statistics")
            add("daily_statistics", MockResponse.status(500))
        }
        val parts = mutableListOf<SyncPart>()
        val error = expectFailure { sync(responses, kinds = both).parts.collect { parts += it } }
        assertEquals(ErrorKind.SERVICE, error.kind)
        assertEquals(listOf(RecordKind.HOURLY), parts.single().kinds)
        // The days of the failed part stay due.
        val rest = sync(service(steps), parts.single().state, both).parts.toList()
        assertEquals(steps.size, rest.sumOf { it.changes.size })
    }

    @Test
    fun `events make their days due, once`(): Unit = runBlocking {
        val client = client(service(steps.filterKeys { it >= 13 }))
        val start = LocalDate.of(2025, 10, 1)
        val state = part(client.sync(daily, secret, "me") { from = start }).state
        fun day(text: String) = LocalDate.parse(text)
        suspend fun due(state: ByteArray, options: SyncOptions.Builder.() -> Unit = {}) =
            client.sync(daily, secret, "me", state, options).plan().days.single().days.map { it.first to it.last }
        val recent = day("2025-11-13") to day("2025-11-21")
        assertEquals(listOf(recent), due(state))
        val webhook = SyncEvent.ofTimes(daily, Instant.parse("2025-10-05T10:00:00Z"), Instant.parse("2025-10-06T01:00:00Z"), "user-7")
        val times = day("2025-10-04") to day("2025-10-07")
        assertEquals(listOf(times, recent), due(state) { events += webhook })
        val span = SyncEvent.of(daily, day("2025-10-20"), day("2025-10-21"))
        val marked = client.sync(daily, secret, "me", state) { events += listOf(webhook, span, webhook) }.recordEvents()
        assertEquals(listOf(times, day("2025-10-20") to day("2025-10-21"), recent), due(marked))
        assertEquals(SyncCall.generation(state) + 1, SyncCall.generation(marked))
        // Statistics of three ranges, and the user's information.
        assertEquals(4, client.sync(daily, secret, "me", marked).plan().requests)

        val foreign = SyncEvent.ofTimes(daily, Instant.parse("2025-10-05T10:00:00Z"), applicationUserId = "user-8")
        assertEquals("events", expectFailure { due(state) { events += foreign } }.argument)
        val reversed = SyncEvent.of(daily, day("2025-10-21"), day("2025-10-20"))
        assertEquals(ErrorKind.INVALID_ARGUMENT, expectFailure { due(state) { events += reversed } }.kind)
    }

    @Test
    fun `no text has an id, a day, a value or the secret`(): Unit = runBlocking {
        val call = sync(service(steps))
        val part = part(call)
        val event = SyncEvent.of(daily, first, first)
        val options = SyncOptions { expectAccount = "user-7" }
        val plan = call.plan()
        val texts = listOf(call, part, part.changes.first(), part.days, part.progress, part.table(RecordKind.DAILY), event, options, plan) +
            plan.days
        for (text in texts.map { it.toString() }) {
            assertFalse(listOf("2025", "1010", "user-7", "0123456789abcdef").any { it in text }, text)
        }
        assertEquals("SyncPart(10 changes, SyncProgress(12 of 12 days))", part.toString())
        assertEquals("Change(DAILY ADDED)", part.changes.first().toString())
    }

    @Test
    fun `fakes create syncs`(): Unit = runBlocking {
        val change = Change.of(RecordKind.SLEEPS, ChangeType.REMOVED, "s-1", first)
        val fake = object : VitalwireApi {
            override fun sync(kinds: Set<RecordKind>, secret: ByteArray, user: String, state: ByteArray?, options: SyncOptions) =
                SyncCall.of(listOf(SyncPart.of(first, first, listOf(change), byteArrayOf(1))))
        }
        val part = part(fake.sync(setOf(RecordKind.SLEEPS), secret, "me"))
        assertEquals(listOf(change), part.changes)
        assertEquals(listOf(RecordKind.SLEEPS), part.kinds)
        assertThrows<UnsupportedOperationException> { fake.sync(daily, secret, "me").plan() }
    }
}
