package dev.vitalwire

import dev.vitalwire.ffi.ClientOptions
import dev.vitalwire.ffi.ErrorKind
import dev.vitalwire.ffi.MetricName
import dev.vitalwire.ffi.NutritionStatus
import dev.vitalwire.ffi.SleepStageName
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.async
import kotlinx.coroutines.delay
import kotlinx.coroutines.runBlocking
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
import java.util.Base64

/** Runs against a sandbox; `cargo xtask test` starts one and says where it is. */
class SmokeTest {
    private fun environment(name: String): String =
        checkNotNull(System.getenv(name)) { "$name is not set; run this by `cargo xtask test`" }

    private fun client() =
        VitalwireClient(ClientOptions(baseUrl = environment("VITALWIRE_BASE_URL"), token = environment("VITALWIRE_TOKEN")))

    @Test
    fun `user info`(): Unit = runBlocking {
        client().use { client ->
            val answer = client.user.info()
            assertEquals(200.toUShort(), answer.meta.status)
            assertEquals(1u, answer.meta.attempts)
            assertNotNull(answer.value.uid)
            assertTrue(answer.value.integratedProviders.orEmpty().isNotEmpty())
        }
    }

    @Test
    fun `a night with stages and samples`(): Unit = runBlocking {
        client().use { client ->
            val night = client.sleeps.get(environment("VITALWIRE_SLEEP_ID"), includeStages = true, includeSamples = true).value
            val start = night.startAtTimestamp.toInstant()
            // Durations are milliseconds.
            assertEquals(Duration.between(start, night.endAtTimestamp!!.toInstant()).toMillis(), night.duration)
            val stages = night.stages!!
            assertTrue(stages.any { it.stage == SleepStageName.DEEP })
            for (stage in stages) {
                assertEquals(Duration.between(stage.startAt!!.toInstant(), stage.endAt!!.toInstant()).toMillis(), stage.duration)
            }
            val samples = night.samples!!
            val heartrate = samples.values!![MetricName.HEARTRATE]!!
            assertEquals(samples.offsets!!.size, heartrate.size)
            assertTrue(heartrate.toDoubleArray().all { it in 30.0..220.0 })
            assertNotNull(night.metrics?.sleepDuration)
            assertNotNull(night.sleepDate?.toLocalDate())
        }
    }

    @Test
    fun `stages that were not asked for are absent`(): Unit = runBlocking {
        client().use { client ->
            val night = client.sleeps.get(environment("VITALWIRE_SLEEP_ID")).value
            assertNull(night.stages)
            assertFalse("stages" in night.nullMembers)
        }
    }

    @Test
    fun `a meal is uploaded and analysed`(): Unit = runBlocking {
        // The smallest PNG: one pixel.
        val image = Base64.getDecoder().decode(
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
        )
        client().use { client ->
            val record = client.nutritionRecords.upload(body = image, waitOnProcess = true).value
            assertEquals(NutritionStatus.COMPLETED, record.status)
            val fields = record.nutritionalFields!!
            // Without include_nutrition_fields, four are filled.
            assertEquals(setOf("carbohydrate_g", "energy_kcal", "fat_total_g", "protein_g"), fields.values.keys)
            assertEquals(fields.values["energy_kcal"], fields.energyKcal)
        }
    }

    @Test
    fun `problem details`(): Unit = runBlocking {
        val id = "00000000-0000-4000-8000-000000000000"
        client().use { client ->
            val error = assertThrows<VitalwireException> { client.sleeps.get(id) }
            assertEquals(ErrorKind.NOT_FOUND, error.kind)
            assertEquals(1201, error.code)
            assertEquals(404.toUShort(), error.info.status)
            assertEquals(404L, error.info.problem?.status)
            assertFalse(error.stackTraceToString().contains(id))
        }
    }

    @Test
    fun `nothing is shown`(): Unit = runBlocking {
        val id = environment("VITALWIRE_SLEEP_ID")
        client().use { client ->
            val night = client.sleeps.get(id, includeStages = true, includeSamples = true)
            val texts = "$night ${night.value} ${night.value.metrics} ${night.value.stages} ${night.value.samples} ${listOf(night.value)}"
            assertFalse(texts.contains(id))
            assertFalse(texts.contains("deep"))
        }
    }

    @Test
    fun `a cancelled coroutine ends the call`(): Unit = runBlocking {
        // Nobody accepts on this port, so the call can only end by being cancelled.
        ServerSocket(0, 8, InetAddress.getByName("127.0.0.1")).use { hole ->
            VitalwireClient(ClientOptions(baseUrl = "http://127.0.0.1:${hole.localPort}", token = "t")).use { client ->
                val started = System.nanoTime()
                val call = async { client.user.info() }
                delay(100)
                call.cancel()
                assertThrows<CancellationException> { call.await() }
                assertTrue(System.nanoTime() - started < 2_000_000_000)
            }
        }
    }
}
