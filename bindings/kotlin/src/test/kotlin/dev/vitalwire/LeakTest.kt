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

/** Clients that nobody closes and calls that are cancelled on their way leave nothing behind. */
class LeakTest {
    @Test
    fun `clients and cancelled calls leave nothing behind`(): Unit = runBlocking(Dispatchers.Default) {
        assumeTrue(File("/proc/self/fd").exists(), "Linux tells what a process holds")
        val others = settled { it.sum() == 0 }
        val slow = MockResponses.delayed(60.seconds)
        val client = VitalwireClient.mock(slow)
        // What grows once, such as pools and code, has grown in the first of two equal rounds.
        round(client, slow)
        val before = held(others)
        round(client, slow)
        val after = held(others)
        assertTrue(after.files <= before.files + 4, "$before, then $after")
        // Dispatchers.IO has up to 64 threads, and as many as are needed at once; a thread of each client or call would be hundreds.
        assertTrue(after.threads <= before.threads + 64, "$before, then $after")
        assertTrue(after.kibibytes <= before.kibibytes + 32 * 1024, "$before, then $after")
        client.close(abortCalls = true)
    }

    /** 1,000 clients and 10,000 cancelled calls in both rounds together. */
    private suspend fun round(slow: VitalwireClient, answers: MockResponses) {
        repeat(500) {
            VitalwireClient {
                this.mockResponses = MockResponses.samples()
                tokenProvider { AccessToken("t") }
                onAttempt { }
            }.user.info()
        }
        repeat(100) {
            val begun = answers.requests().size
            val calls = List(50) { CoroutineScope(Dispatchers.Default).async { slow.user.info() } }
            while (answers.requests().size < begun + calls.size) delay(1)
            calls.forEach { it.cancel() }
            calls.forEach { it.join() }
            assertTrue(calls.all { it.isCancelled })
        }
    }

    private data class Held(val files: Int, val threads: Int, val kibibytes: Int)

    /** What the library holds of these classes: calls that wait, providers that are asked, listeners, providers. */
    private fun handles() = listOf(
        uniffiContinuationHandleMap.size, uniffiForeignFutureHandleMap.size,
        FfiConverterTypeAttemptListener.handleMap.size, FfiConverterTypeTokenProvider.handleMap.size,
    )

    /** The handles when nothing is left to collect, or when they are as wanted. */
    private suspend fun settled(isWanted: (List<Int>) -> Boolean): List<Int> {
        repeat(60) {
            System.gc()
            if (isWanted(handles())) return handles()
            delay(50)
        }
        return handles()
    }

    /** @param others the handles of tests before this one, whose clients may still be known. */
    private suspend fun held(others: List<Int>): Held {
        val no = { handles: List<Int> -> handles.zip(others).all { (now, before) -> now <= before } }
        val handles = settled(no)
        assertTrue(no(handles), "$others, then $handles")
        val resident = File("/proc/self/status").readLines().first { it.startsWith("VmRSS") }.filter(Char::isDigit).toInt()
        return Held(File("/proc/self/fd").list().orEmpty().size, File("/proc/self/task").list().orEmpty().size, resident)
    }
}
