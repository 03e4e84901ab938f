package dev.vitalwire

import dev.vitalwire.ffi.ClientOptions
import dev.vitalwire.ffi.ResponseMetadata
import dev.vitalwire.ffi.WaitProgress as NativeWaitProgress
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.TimeoutCancellationException
import kotlinx.coroutines.async
import kotlinx.coroutines.cancel
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.onEach
import kotlinx.coroutines.flow.takeWhile
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout
import kotlinx.coroutines.withTimeoutOrNull
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.assertThrows
import java.util.concurrent.CancellationException
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** Tests waits for analyses: their progress, and the last known record after a failure or a cancellation. */
class WaitTest {
    private val pending =
        """{"record_id": "m-1", "status": "processing", "uploaded_at": "2025-03-02T07:30:00Z", "modified_at": "2025-03-02T07:30:00Z"}"""
    private val completed = pending.replace("processing", "completed")
    private val quick = WaitOptions { interval(1.milliseconds, 1.milliseconds) }

    private fun client(vararg readings: String) = VitalwireClient {
        mockResponses = MockResponses().apply {
            add("upload_nutrition_record", MockResponse.json(pending))
            readings.forEach { add("get_nutrition_record", MockResponse.json(it)) }
        }
    }

    @Test
    fun `a wait reports its progress and returns the record`(): Unit = runBlocking {
        client(pending, completed).use { client ->
            val reports = mutableListOf<WaitProgress>()
            val wait = WaitOptions {
                interval(1.milliseconds, 1.milliseconds)
                onProgress { reports += it }
            }
            val meal = client.nutritionRecords.uploadAndWait(wait) { body = PNG }
            assertEquals(NutritionStatus.COMPLETED, meal.status)
            assertEquals("m-1", reports.first().recordId)
            assertEquals(0, reports.first().polls)
        }
    }

    @Test
    fun `a flow emits the progress, then the record`(): Unit = runBlocking {
        client(pending, completed).use { client ->
            // The collector is slower than the wait, but receives every state.
            val states = client.nutritionRecords.uploadAndWaitAsFlow(quick) { body = PNG }.onEach { delay(20) }.toList()
            val progress = states.dropLast(1).map { (it as WaitState.Progress).progress }
            assertTrue(progress.isNotEmpty() && progress.all { it.recordId == "m-1" })
            assertEquals(NutritionStatus.COMPLETED, (states.last() as WaitState.Ended).record.status)
            assertEquals("Ended(..)", "${states.last()}")
        }
    }

    @Test
    fun `a collector that stops early has the id`(): Unit = runBlocking {
        client(pending).use { client ->
            val seen = mutableListOf<String?>()
            val flow = client.nutritionRecords.uploadAndWaitAsFlow(quick) { body = PNG }
            flow.onEach { seen += (it as WaitState.Progress).progress.recordId }.takeWhile { seen.size < 3 }.toList()
            assertEquals(listOf<String?>("m-1", "m-1", "m-1"), seen)
        }
    }

    @Test
    fun `a cancelled wait keeps the id`(): Unit = runBlocking {
        client(pending).use { client ->
            val known = CompletableDeferred<WaitCancelledException>()
            withTimeoutOrNull(500) {
                try {
                    client.withResponse { nutritionRecords.uploadAndWait(quick) { body = PNG } }
                } catch (error: WaitCancelledException) {
                    known.complete(error)
                    throw error
                }
            }
            val error = known.await()
            assertEquals("m-1", error.recordId)
            assertEquals("m-1", (error.lastRecord as NutritionRecord).id)
            assertTrue(error.failure is VitalwireException.Cancelled)
        }
    }

    @Test
    fun `a cancelled collector of a flow keeps the id`(): Unit = runBlocking {
        client(pending).use { client ->
            val waiting = CompletableDeferred<Unit>()
            val known = CompletableDeferred<WaitCancelledException>()
            val job = launch(Dispatchers.Default) {
                try {
                    client.nutritionRecords.uploadAndWaitAsFlow(quick) { body = PNG }.collect {
                        if ((it as WaitState.Progress).progress.polls > 0) waiting.complete(Unit)
                    }
                } catch (error: WaitCancelledException) {
                    known.complete(error)
                    throw error
                }
            }
            waiting.await()
            job.cancel()
            job.join()
            assertTrue(job.isCancelled && known.isCompleted)
            assertEquals("m-1", known.await().recordId)
            assertEquals("m-1", known.await().lastRecord?.id)
        }
    }

    /** `withTimeout` replaces the exception of the wait by its own. */
    @Test
    fun `the exception of a timeout leads to the id`(): Unit = runBlocking {
        val waits = listOf<suspend (VitalwireClient) -> Unit>(
            { it.nutritionRecords.uploadAndWait(quick) { body = PNG } },
            { it.nutritionRecords.uploadAndWaitAsFlow(quick) { body = PNG }.collect {} },
            { it.nutritionRecords.waitFor("m-1", quick) {} },
        )
        for (wait in waits) {
            client(pending).use { client ->
                val error = assertThrows<TimeoutCancellationException> { runBlocking { withTimeout(500) { wait(client) } } }
                assertEquals("m-1", WaitCancelledException.find(error)?.recordId)
                assertEquals("m-1", WaitCancelledException.find(error)?.lastRecord?.id)
            }
        }
        assertNull(WaitCancelledException.find(IllegalStateException(CancellationException("mine"))))
    }

    /** Cancels a coroutine scope, as when the user leaves a screen. Only the cancelled coroutine sees the exception. */
    @Test
    fun `a cancelled scope keeps the id`(): Unit = runBlocking {
        client(pending).use { client ->
            val screen = CoroutineScope(SupervisorJob() + Dispatchers.Default)
            val waiting = CompletableDeferred<Unit>()
            val known = CompletableDeferred<WaitCancelledException>()
            val wait = WaitOptions {
                interval(1.milliseconds, 1.milliseconds)
                onProgress { if (it.polls > 0) waiting.complete(Unit) }
            }
            val job = screen.launch {
                try {
                    client.nutritionRecords.uploadAndWait(wait) { body = PNG }
                } catch (error: WaitCancelledException) {
                    known.complete(error)
                    throw error
                }
            }
            waiting.await()
            screen.cancel()
            job.join()
            assertTrue(job.isCancelled && known.isCompleted)
            assertEquals("m-1", known.await().recordId)
            assertEquals("m-1", known.await().lastRecord?.id)
        }
    }

    /** Completes a wait at the moment of its cancellation. The exception then contains the final record. */
    @Test
    fun `a wait that completes during its cancellation keeps the record`(): Unit = runBlocking {
        val calls = Calls(Connection(ClientOptions(), null, null, MockResponses(), null, false))
        val record = NutritionRecord { id = "m-2" }
        val known = CompletableDeferred<WaitCancelledException>()
        lateinit var job: Deferred<Unit>
        for (reportedId in listOf("m-1", null)) {
            job = async(Dispatchers.Default, start = CoroutineStart.LAZY) {
                try {
                    calls.wait(WaitOptions.DEFAULT) { _, _, _, observer ->
                        observer.progressed(NativeWaitProgress(0u, "pending", 1u, reportedId))
                        job.cancel()
                        record to ResponseMetadata(200u, null, 1u, 1u)
                    }
                } catch (error: WaitCancelledException) {
                    known.complete(error)
                    assertSame(record, error.lastRecord)
                    assertEquals(reportedId ?: "m-2", error.recordId)
                    assertNull(error.failure)
                }
            }
            job.join()
            assertTrue(known.isCompleted)
        }
    }

    @Test
    fun `an exception of a progress callback ends the wait`(): Unit = runBlocking {
        client(pending).use { client ->
            for (thrown in listOf(IllegalStateException("mine"), CancellationException("mine"))) {
                val wait = WaitOptions {
                    timeout = 20.seconds
                    onProgress { throw thrown }
                }
                val caught = assertThrows<Exception> { runBlocking { client.nutritionRecords.uploadAndWait(wait) { body = PNG } } }
                assertEquals("mine", caught.message)
            }
        }
    }

    private companion object {
        /** A PNG picture of one pixel. */
        val PNG: ByteArray = java.util.Base64.getDecoder().decode(
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
        )
    }
}
