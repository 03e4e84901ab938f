package dev.vitalwire.bench

import com.sun.jna.Function
import dev.vitalwire.AccessToken
import dev.vitalwire.MockResponse
import dev.vitalwire.MockResponses
import dev.vitalwire.VitalwireClient
import dev.vitalwire.WaitOptions
import dev.vitalwire.ffi.FfiConverterTypeAttemptListener
import dev.vitalwire.ffi.FfiConverterTypeRangeObserver
import dev.vitalwire.ffi.FfiConverterTypeTokenProvider
import dev.vitalwire.ffi.FfiConverterTypeWaitObserver
import dev.vitalwire.ffi.uniffiContinuationHandleMap
import dev.vitalwire.ffi.uniffiForeignFutureHandleMap
import java.io.File
import java.util.concurrent.atomic.AtomicLong
import kotlin.concurrent.thread
import kotlin.random.Random
import kotlin.system.exitProcess
import kotlin.time.Duration.Companion.microseconds
import kotlin.time.Duration.Companion.milliseconds
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.supervisorScope

/** Number of concurrent calls. */
private const val AT_ONCE = 128

/** Largest growth of memory without a leak, as a fraction. The machine and the allocator cause some growth. */
private const val GROWTH = 0.05

/**
 * Makes a large number of calls during constant garbage collection, and cancels half of them at any moment.
 * The process must not abort, no handle may remain, and memory must not grow. `cargo xtask test --deep --only kotlin-calls`
 * runs this program with a sandbox from the environment. The argument is the number of calls.
 */
fun main(arguments: Array<String>) {
    val count = arguments[0].toLong()
    val many = ManyCalls()
    thread(isDaemon = true) {
        while (true) {
            System.gc()
            Thread.sleep(100)
        }
    }
    // Measure after a fifth of the calls, because thread pools and compiled code no longer grow then.
    many.make(count / 5)
    val before = residentMemory()
    many.make(count - count / 5)
    val after = residentMemory()
    println("$count calls: ${many.answered} answered, ${many.cancelled} cancelled, ${many.failed} failed; $before KiB, then $after KiB")
    val held = listOf(
        report("no call failed", many.failed.get() == 0L),
        report("many were answered and many cancelled", minOf(many.answered.get(), many.cancelled.get()) > count / 5),
        report("no handle is left: ${handles()}", handles().values.all { it == 0 }),
        report("memory did not grow: ${after * 100 / before} %", after <= before * (1 + GROWTH)),
    )
    exitProcess(if (held.all { it }) 0 else 1)
}

private fun report(what: String, held: Boolean): Boolean = held.also { println("${if (held) "ok" else "FAILED"} $what") }

/** Returns the resident memory of this process in KiB, after garbage collection and after malloc has released free memory. */
private fun residentMemory(): Long {
    repeat(50) { turn ->
        if (turn > 5 && handles().values.all { it == 0 }) return@repeat
        System.gc()
        Thread.sleep(100)
    }
    Function.getFunction("c", "malloc_trim").invokeInt(arrayOf(0L))
    val line = File("/proc/self/status").readLines().first { it.startsWith("VmRSS") }
    return line.filter(Char::isDigit).toLong()
}

/** Returns the numbers of objects that Kotlin keeps for the native library, by kind. */
private fun handles(): Map<String, Int> = mapOf(
    "continuations" to uniffiContinuationHandleMap.size,
    "futures" to uniffiForeignFutureHandleMap.size,
    "listeners" to FfiConverterTypeAttemptListener.handleMap.size,
    "observers of ranges" to FfiConverterTypeRangeObserver.handleMap.size,
    "observers of waits" to FfiConverterTypeWaitObserver.handleMap.size,
    "providers" to FfiConverterTypeTokenProvider.handleMap.size,
)

/** Makes and counts calls. */
private class ManyCalls {
    val cancelled = AtomicLong()
    val answered = AtomicLong()
    val failed = AtomicLong()

    /** Makes calls in batches. Each batch has new clients, because mock responses keep all requests in memory. */
    fun make(count: Long) {
        var left = count
        while (left > 0) {
            val batch = minOf(left, BATCH)
            Clients().use { clients -> runBlocking(Dispatchers.Default) { batch(clients, AtomicLong(batch)) } }
            left -= batch
        }
    }

    private suspend fun batch(clients: Clients, left: AtomicLong) = coroutineScope {
        repeat(AT_ONCE) { launch { while (left.getAndDecrement() > 0) one(clients) } }
    }

    /** Makes one call. Cancels every other call, immediately or after up to two milliseconds. */
    private suspend fun one(clients: Clients) = supervisorScope {
        val call = async { clients.call(Random.nextInt(KINDS)) }
        if (Random.nextBoolean()) {
            if (Random.nextBoolean()) delay(Random.nextInt(2_000).microseconds)
            call.cancel()
        }
        val error = runCatching { call.await() }.exceptionOrNull()
        val count = when (error) {
            null -> answered
            is CancellationException -> cancelled
            else -> failed.also { if (it.get() == 0L) error.printStackTrace() }
        }
        count.incrementAndGet()
    }

    private companion object {
        const val BATCH = 10_000L
    }
}

/** Number of kinds of calls; a frequent kind counts several times. */
private const val KINDS = 10

/** A client that sends requests to the sandbox, and clients with mock responses. */
private class Clients : AutoCloseable {
    private val network = VitalwireClient {
        baseUrl = System.getenv("VITALWIRE_BASE_URL")
        token = System.getenv("VITALWIRE_TOKEN")
    }
    private val memory = VitalwireClient { mockResponses = MockResponses.samples() }

    /** A client whose calls run callbacks in Kotlin. */
    private val late = VitalwireClient {
        mockResponses = MockResponses().apply { add("get_user_info", MockResponse { json = "{}"; delay = 2.milliseconds }) }
        tokenProvider {
            delay(100.microseconds)
            AccessToken("t", 1.milliseconds)
        }
        onAttempt { }
    }
    private val pending = VitalwireClient {
        val times = """"uploaded_at": "2025-03-02T07:30:00Z", "modified_at": "2025-03-02T07:30:00Z""""
        mockResponses = MockResponses().apply {
            add("get_nutrition_record", MockResponse.json("""{"record_id": "m", "status": "processing", $times}"""))
            add("get_nutrition_record", MockResponse.json("""{"record_id": "m", "status": "completed", $times}"""))
        }
    }

    suspend fun call(kind: Int) {
        when (kind) {
            0 -> network.user.info()
            1, 2 -> late.user.info()
            3, 4 -> pending.nutritionRecords.waitFor("m", wait = WAIT)
            5, 6 -> memory.sleeps.get("any")
            else -> memory.user.info()
        }
    }

    override fun close() = listOf(network, memory, late, pending).forEach { it.close(abortCalls = true) }

    private companion object {
        val WAIT = WaitOptions {
            interval(1.milliseconds, 1.milliseconds)
            onProgress { }
        }
    }
}
