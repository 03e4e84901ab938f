package dev.vitalwire

import dev.vitalwire.ffi.FfiConverterTypeAttemptListener
import dev.vitalwire.ffi.FfiConverterTypeTokenProvider
import dev.vitalwire.ffi.uniffiContinuationHandleMap
import dev.vitalwire.ffi.uniffiForeignFutureHandleMap
import dev.vitalwire.testing.mock
import dev.vitalwire.testing.delayed
import java.io.File
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.delay
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.Test

/** Checks that unclosed clients and cancelled calls leak no handles, file descriptors, threads or memory. */
class LeakTest {
    @Test
    fun `clients and cancelled calls leave nothing behind`(): Unit = runBlocking(Dispatchers.Default) {
        assumeTrue(File("/proc/self/fd").exists(), "Linux tells what a process holds")
        val others = readUntil { it.sum() == 0 }
        val slow = MockResponses.delayed(60.seconds)
        val client = VitalwireClient.mock(slow)
        // Measure after a first round, because thread pools and compiled code grow only once.
        round(client, slow)
        val before = countResources(others)
        round(client, slow)
        val after = countResources(others)
        assertTrue(after.files <= before.files + 4, "$before, then $after")
        // Dispatchers.IO has up to 64 threads. A thread per client or call would mean hundreds.
        assertTrue(after.threads <= before.threads + 64, "$before, then $after")
        assertTrue(after.kibibytes <= before.kibibytes + 32 * 1024, "$before, then $after")
        client.close(abortCalls = true)
    }

    /** Uses 500 clients without closing them, and cancels 5,000 calls. */
    private suspend fun round(slow: VitalwireClient, responses: MockResponses) {
        repeat(500) {
            VitalwireClient {
                this.mockResponses = MockResponses.samples()
                tokenProvider { AccessToken("t") }
                onAttempt { }
            }.user.info()
        }
        repeat(100) {
            val begun = responses.requests().size
            val calls = List(50) { CoroutineScope(Dispatchers.Default).async { slow.user.info() } }
            while (responses.requests().size < begun + calls.size) delay(1)
            calls.forEach { it.cancel() }
            calls.forEach { it.join() }
            assertTrue(calls.all { it.isCancelled })
        }
    }

    private data class ResourceCount(val files: Int, val threads: Int, val kibibytes: Int)

    /** Returns the numbers of handles in the library: pending calls, token requests, listeners and providers. */
    private fun handles() = listOf(
        uniffiContinuationHandleMap.size, uniffiForeignFutureHandleMap.size,
        FfiConverterTypeAttemptListener.handleMap.size, FfiConverterTypeTokenProvider.handleMap.size,
    )

    /** Collects garbage until the handles match the predicate, at most 60 times. Returns the last handles. */
    private suspend fun readUntil(isWanted: (List<Int>) -> Boolean): List<Int> {
        repeat(60) {
            System.gc()
            if (isWanted(handles())) return handles()
            delay(50)
        }
        return handles()
    }

    /**
     * Counts file descriptors, threads and memory after all handles of this test are released.
     *
     * @param others handles of earlier tests, whose clients may still be referenced.
     */
    private suspend fun countResources(others: List<Int>): ResourceCount {
        val no = { handles: List<Int> -> handles.zip(others).all { (now, before) -> now <= before } }
        val handles = readUntil(no)
        assertTrue(no(handles), "$others, then $handles")
        val resident = File("/proc/self/status").readLines().first { it.startsWith("VmRSS") }.filter(Char::isDigit).toInt()
        return ResourceCount(File("/proc/self/fd").list().orEmpty().size, File("/proc/self/task").list().orEmpty().size, resident)
    }
}
