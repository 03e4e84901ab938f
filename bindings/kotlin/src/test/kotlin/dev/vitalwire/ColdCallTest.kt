package dev.vitalwire

import java.io.File
import java.time.LocalDate
import java.util.Collections
import java.util.concurrent.CountDownLatch
import java.util.concurrent.Executors
import java.util.concurrent.TimeUnit
import java.util.logging.Handler
import java.util.logging.Level
import java.util.logging.LogRecord
import java.util.logging.Logger
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test

/** Tests the first call of a process, made from a UI thread. Each call runs in a new process, in which nothing is loaded yet. */
class ColdCallTest {
    @Test
    fun `the native library is loaded without blocking the calling thread`() {
        for (call in COLD_CALLS.keys) {
            val path = System.getProperty("surefire.test.class.path") ?: System.getProperty("java.class.path")
            val java = File(System.getProperty("java.home"), "bin/java").path
            val library = "-Djna.library.path=${System.getProperty("jna.library.path")}"
            val process = ProcessBuilder(java, "-cp", path, library, "dev.vitalwire.ColdCall", call).redirectErrorStream(true).start()
            val said = process.inputStream.bufferedReader().readLines()
            assertTrue(process.waitFor(1, TimeUnit.MINUTES))
            assertEquals(listOf("loaded by main: false", "main went on: true", "ended"), said, call)
        }
    }
}

/** Calls that reach the native library through different classes, by name. */
private val COLD_CALLS = mapOf<String, suspend (VitalwireClient) -> Unit>(
    "a call" to { it.user.info() },
    "a wait" to { it.nutritionRecords.waitFor("any") },
    "a range" to {
        val day = LocalDate.of(2025, 3, 1)
        it.statistics.dailyInParts(day, day, listOf(StatisticName.STEPS), PartLength.days(1)).parts.collect { }
    },
    "nights" to {
        val day = LocalDate.of(2025, 3, 1)
        it.sleeps.between(day, day).collectAll()
    },
    "a table" to { DailyStatistics.fromJson("""{"from_date": "2025-03-01", "to_date": "2025-03-01", "statistics": []}""").table() },
    "a redirect" to { ConsentRedirect.parse("app://back?user_id=a", null) },
    "a picture" to { runCatching { Picture.withoutMetadata(ByteArray(0)) } },
)

/**
 * The program of the child process. JNA logs on the thread that searches for the library, so the log handler can delay
 * the loading.
 */
internal object ColdCall {
    @JvmStatic
    fun main(arguments: Array<String>): Unit = runBlocking {
        val loaders = Collections.synchronizedSet(mutableSetOf<Thread>())
        val gone = CountDownLatch(TICKS)
        var wentOn = false
        // Keep a reference, because the log manager holds loggers only weakly.
        val logger = Logger.getLogger("com.sun.jna")
        logger.useParentHandlers = false
        logger.level = Level.ALL
        logger.addHandler(
            object : Handler() {
                override fun publish(record: LogRecord) {
                    if ("vitalwire_uniffi" !in record.message || !loaders.add(Thread.currentThread())) return
                    wentOn = gone.await(5, TimeUnit.SECONDS)
                }

                override fun flush() = Unit

                override fun close() = Unit
            },
        )
        Executors.newSingleThreadExecutor().asCoroutineDispatcher().use { main ->
            withContext(main) {
                val own = Thread.currentThread()
                val client = VitalwireClient { mockResponses = MockResponses.samples() }
                // Count only the tasks after the search for the library has begun: earlier tasks prove nothing.
                val ticking = launch { while (true) delay(1).also { if (loaders.isNotEmpty()) gone.countDown() } }
                checkNotNull(COLD_CALLS[arguments.single()])(client)
                ticking.cancel()
                check(loaders.isNotEmpty()) { "JNA did not say that it looks for the library" }
                println("loaded by main: ${own in loaders}")
            }
        }
        println("main went on: $wentOn")
        println("ended")
        check(logger.handlers.isNotEmpty())
    }

    private const val TICKS = 20
}
