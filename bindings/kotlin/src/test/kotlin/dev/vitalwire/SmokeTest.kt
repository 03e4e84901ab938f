package dev.vitalwire

import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import org.junit.jupiter.api.Assertions.assertArrayEquals
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertNotNull
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.assertThrows
import java.net.InetAddress
import java.net.ServerSocket
import java.time.Duration
import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit
import kotlin.time.toKotlinDuration
import java.util.Base64

/** Tests calls to a sandbox. `cargo xtask test` starts the sandbox and sets the address in the environment. */
class SmokeTest {
    private fun environment(name: String): String =
        checkNotNull(System.getenv(name)) { "$name is not set; run this by `cargo xtask test`" }

    private fun client() = VitalwireClient {
        baseUrl = environment("VITALWIRE_BASE_URL")
        token = environment("VITALWIRE_TOKEN")
    }

    @Test
    fun `user info is read`(): Unit = runBlocking {
        client().use { client ->
            val response = client.withResponse { user.info() }
            assertEquals(200, response.status)
            assertEquals(1, response.attempts)
            assertNotNull(response.value.uid)
            assertTrue(response.value.integratedProviders.orEmpty().isNotEmpty())
        }
    }

    @Test
    fun `a night with stages and samples`(): Unit = runBlocking {
        client().use { client ->
            val night = client.sleeps.get(environment("VITALWIRE_SLEEP_ID")) {
                includeStages = true
                includeSamples = true
            }
            assertEquals(Duration.between(night.startAt, night.endAt!!).toKotlinDuration(), night.duration)
            val stages = night.stages!!
            assertTrue(stages.any { it.stage == SleepStageName.DEEP })
            for (stage in stages) {
                assertEquals(Duration.between(stage.startAt!!, stage.endAt!!).toKotlinDuration(), stage.duration)
            }
            val samples = night.samples!!
            val heartrate = samples.values!![MetricName.HEARTRATE]!!
            assertEquals(samples.offsets!!.size, heartrate.size)
            assertTrue(heartrate.toDoubleArray().all { it in 30.0..220.0 })
            assertNotNull(night.metrics?.sleepDuration)
            assertNotNull(night.sleepDate)
        }
    }

    @Test
    fun `stages that were not requested are absent`(): Unit = runBlocking {
        client().use { client ->
            val night = client.sleeps.get(environment("VITALWIRE_SLEEP_ID"))
            assertNull(night.stages)
            assertFalse(night.stagesIsNull)
        }
    }

    @Test
    fun `a meal is uploaded and analysed`(): Unit = runBlocking {
        // A PNG picture of one pixel.
        val image = Base64.getDecoder().decode(
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
        )
        // Bytes after the end of the picture count as metadata.
        assertArrayEquals(image, Picture.withoutMetadata(image + "Rosa Quintero".toByteArray()))
        val refused = assertThrows<VitalwireException> { runBlocking { Picture.withoutMetadata("GIF89a".toByteArray()) } }
        assertEquals(ErrorKind.INVALID_ARGUMENT, refused.kind)
        client().use { client ->
            val record = client.nutritionRecords.upload {
                body = image
                waitOnProcess = true
            }
            assertEquals(NutritionStatus.COMPLETED, record.status)
            val fields = record.nutritionalFields!!
            // Defaults to four fields without include_nutrition_fields.
            assertEquals(setOf("carbohydrate_g", "energy_kcal", "fat_total_g", "protein_g"), fields.values.keys.map { it.text }.toSet())
            assertEquals(fields[NutrientName.ENERGY_KCAL], fields.energyKcal)
        }
    }

    @Test
    fun `an error has problem details`(): Unit = runBlocking {
        val id = "00000000-0000-4000-8000-000000000000"
        client().use { client ->
            val error = assertThrows<VitalwireException.NotFound> { client.sleeps.get(id) }
            assertEquals(ErrorKind.NOT_FOUND, error.kind)
            assertEquals(1201, error.code)
            assertEquals(404, error.status)
            assertEquals(404L, error.problem?.status)
            assertFalse(error.stackTraceToString().contains(id))
        }
    }

    @Test
    fun `toString shows no values`(): Unit = runBlocking {
        val id = environment("VITALWIRE_SLEEP_ID")
        client().use { client ->
            val night = client.withResponse {
                sleeps.get(id) {
                    includeStages = true
                    includeSamples = true
                }
            }
            val texts = "$night ${night.value} ${night.value.metrics} ${night.value.stages} ${night.value.samples} ${listOf(night.value)}"
            assertFalse(texts.contains(id))
            assertFalse(texts.contains("deep"))
        }
    }

    @Test
    fun `secrets are not shown`() {
        val canary = "CANARY-5d1e"
        val builder = VitalwireClient.builder().baseUrl("https://$canary.example").token(canary).careToken(canary)
        val options = GetUserInfoOptions { token = canary }
        assertEquals("AccessToken(..) VitalwireClient(..) GetUserInfoOptions(..)", "${AccessToken(canary)} ${builder.build()} $options")
        assertFalse("$builder ${listOf(AccessToken(canary), options)}".contains(canary))
    }

    @Test
    fun `a closed client rejects calls`(): Unit = runBlocking {
        val client = client()
        client.close()
        client.close()
        val error = assertThrows<VitalwireException> { client.user.info() }
        assertEquals(ErrorKind.CLOSED, error.kind)
        assertEquals(1602, error.code)
        assertEquals("closed: the client was closed, GET /v3/userinfo", error.message)
    }

    @Test
    fun `a cancelled coroutine aborts the call and closes its connection`() = cancelled { client, scope ->
        scope.async { client.user.info() }.let { call -> { call.cancel() } }
    }

    @Test
    fun `a cancelled future aborts the call and closes its connection`() = cancelled { client, _ ->
        client.async().user().info().let { call -> { assertTrue(call.cancel(true)) } }
    }

    /** The default threads of coroutines are as many as processors, so that so many blocked callbacks would stop all calls. */
    @Test
    fun `callbacks of futures may block`() {
        client().use { client ->
            val calls = List(2 * Runtime.getRuntime().availableProcessors() + 1) {
                client.async().user().info().thenApply { client.async().user().info().join() }
            }
            CompletableFuture.allOf(*calls.toTypedArray()).get(30, TimeUnit.SECONDS)
        }
    }

    /** Cancels a call to a port that never responds. [begin] makes the call and returns a function that cancels it. */
    private fun cancelled(begin: (VitalwireClient, CoroutineScope) -> () -> Unit): Unit = runBlocking {
        ServerSocket(0, 8, InetAddress.getByName("127.0.0.1")).use { hole ->
            hole.soTimeout = 20_000
            VitalwireClient.builder().baseUrl("http://127.0.0.1:${hole.localPort}").token("t").build().use { client ->
                val cancel = begin(client, this)
                withContext(Dispatchers.IO) { hole.accept() }.use { connection ->
                    // Shorter than the timeout of the call, 30 seconds.
                    connection.soTimeout = 15_000
                    val request = connection.getInputStream()
                    // The first byte of the request has arrived, so the call waits for its response.
                    assertEquals('G'.code, withContext(Dispatchers.IO) { request.read() })
                    cancel()
                    // Read the rest of the request until the client closes the connection. If the connection stays open, a read times out.
                    withContext(Dispatchers.IO) { while (request.read() != -1) Unit }
                }
            }
        }
    }
}
