package dev.vitalwire

import java.io.File
import java.time.LocalDate
import java.util.concurrent.CompletableFuture
import java.util.concurrent.ExecutionException
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.delay
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.assertThrows

/** Tests that exceptions have the name of the call and the frames of the application. */
class CallerTest {
    private val day = LocalDate.of(2025, 3, 1)

    private val client = VitalwireClient {
        maxRetries = 0
        mockResponses = MockResponses().apply {
            for (operation in listOf("get_sleep", "daily_statistics", "upload_nutrition_record", "get_user_info")) {
                add(operation, MockResponse.status(404))
            }
        }
    }

    /** A function of an application, which goes on after its call. */
    private suspend fun application(call: suspend () -> Unit) {
        call()
        delay(1)
    }

    private suspend fun failure(call: suspend () -> Unit): VitalwireException =
        try {
            application(call)
            error("the call succeeded")
        } catch (error: VitalwireException) {
            error
        }

    private fun VitalwireException.frames() = stackTrace.map { "${it.className}.${it.methodName}" }

    private val calls: List<Pair<String, suspend () -> Unit>> = listOf(
        "sleeps.get" to { client.sleeps.get("any") },
        "sleeps.get" to { client.sleeps.get("any") { includeStages = true } },
        "sleeps.get" to { client.withResponse { sleeps.get("any") } },
        "sleeps.get" to { withContext(Dispatchers.Default) { client.sleeps.get("any") } },
        "nutritionRecords.upload" to { client.nutritionRecords.upload(PictureUpload.of(File("/no/such/picture"))) },
        "nutritionRecords.uploadAndWait" to { client.nutritionRecords.uploadAndWait { body = PNG } },
        "nutritionRecords.uploadAndWait" to { client.nutritionRecords.uploadAndWaitAsFlow { body = PNG }.collect {} },
        "statistics.dailyInParts" to { days().collectAll() },
        "statistics.dailyInParts" to { days().parts.collect {} },
        "sleeps.between" to { client.sleeps.between(day, day, RangeOptions { resume = ResumeToken.of("no token") }) {}.collectAll() },
        "sync" to { client.sync(setOf(RecordKind.DAILY), ByteArray(16), "me").parts.collect {} },
        "sync" to { client.sync(emptySet(), ByteArray(16), "me").plan() },
    )

    private fun days() = client.statistics.dailyInParts(day, day, listOf(StatisticName.STEPS), PartLength.days(1))

    @Test
    fun `an exception has the name of the call and the frames of the caller`(): Unit = runBlocking {
        for ((at, named) in calls.withIndex()) {
            val (name, call) = named
            // Both before and after the caller's first suspension.
            for (error in listOf(failure(call), failure { delay(1).also { call() } })) {
                assertEquals(name, error.call, "call $at")
                val frames = error.frames()
                val function = name.substringAfter('.')
                val resource = name.substringBefore('.', "vitalwireClient").replaceFirstChar { it.uppercase() }
                assertEquals("dev.vitalwire.$resource.$function", frames[0], "call $at")
                val caller = frames.indexOf("dev.vitalwire.CallerTest.application")
                assertTrue(caller in 1 until frames.indexOfFirst { it.startsWith("dev.vitalwire.VitalwireException") }, "call $at: $frames")
                assertEquals(1, frames.count { it == frames[0] }, "call $at")
            }
        }
        assertNull(VitalwireException.of(ErrorKind.NOT_FOUND).call)
    }

    @Test
    fun `an exception of other work has the frames of the caller`(): Unit = runBlocking {
        for (work in listOf<suspend () -> Unit>({ Picture.withoutMetadata(ByteArray(0)) }, { ConsentRedirect.parse("app://back", "s") })) {
            val error = failure(work)
            assertNull(error.call)
            assertEquals("dev.vitalwire.CallerTest", error.frames().first().substringBeforeLast('.').substringBefore('$'))
            assertTrue("dev.vitalwire.CallerTest.application" in error.frames(), "${error.frames()}")
        }
        val java = assertThrows<ExecutionException> { Picture.withoutMetadataForJava(ByteArray(0)).get() }.cause as VitalwireException
        assertTrue(java.frames().any { it.startsWith("dev.vitalwire.CallerTest.") }, "${java.frames()}")
    }

    @Test
    fun `a frame has the line of the call`(): Unit = runBlocking {
        val error = failure {
            client.sleeps.get("any")
        }
        val text = error.stackTraceToString().lines()
        assertTrue(text[1].trim() == "at dev.vitalwire.Sleeps.get(Sleeps.kt)", text[1])
        assertTrue("CallerTest.kt:" in text[2] && error.stackTrace[1].lineNumber > 0, text[2])
    }

    private fun javaApplication(call: (AsyncVitalwireClient) -> CompletableFuture<*>): VitalwireException {
        val future = call(client.async())
        return assertThrows<ExecutionException> { future.get() }.cause as VitalwireException
    }

    @Test
    fun `an exception of a future has the frames of the thread that made the call`() {
        val calls = listOf<(AsyncVitalwireClient) -> CompletableFuture<*>>(
            { it.sleeps().get("any") },
            { it.withResponse { calls -> calls.sleeps().get("any") } },
            { it.statistics().dailyInParts(day, day, listOf(StatisticName.STEPS), PartLength.days(1)).collectAll() },
            { it.statistics().dailyInParts(day, day, listOf(StatisticName.STEPS), PartLength.days(1)).forEachPart {} },
            { it.sync(emptySet(), ByteArray(16), "me").plan() },
        )
        for ((at, call) in calls.withIndex()) {
            // The block of `withResponse` runs on another thread.
            val function = if (at == 1) "dev.vitalwire.CallerTest." else "dev.vitalwire.CallerTest.javaApplication"
            val frames = javaApplication(call).frames()
            assertTrue(frames.any { it.startsWith(function) }, "call $at: $frames")
        }
    }

    private companion object {
        /** A PNG picture of one pixel. */
        val PNG: ByteArray = java.util.Base64.getDecoder().decode(
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
        )
    }
}
