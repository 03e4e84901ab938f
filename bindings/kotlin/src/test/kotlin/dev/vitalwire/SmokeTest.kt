package dev.vitalwire

import dev.vitalwire.ffi.AccessToken
import dev.vitalwire.ffi.CalendarDate
import dev.vitalwire.ffi.ClientOptions
import dev.vitalwire.ffi.ErrorInfo
import dev.vitalwire.ffi.ErrorKind
import dev.vitalwire.ffi.MetricName
import dev.vitalwire.ffi.NutritionStatus
import dev.vitalwire.ffi.ResponseMeta
import dev.vitalwire.ffi.SleepStageName
import kotlinx.coroutines.CancellationException
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
import java.time.LocalDate
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
        // What follows a picture's end is none of it.
        assertArrayEquals(image, Picture.withoutMetadata(image + "Rosa Quintero".toByteArray()))
        val refused = assertThrows<VitalwireException> { Picture.withoutMetadata("GIF89a".toByteArray()) }
        assertEquals(ErrorKind.INVALID_ARGUMENT, refused.kind)
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
    fun `secrets are not shown`() {
        val canary = "CANARY-5d1e"
        val token = AccessToken(canary)
        val options = ClientOptions(baseUrl = "https://$canary.example", token = canary, careToken = canary)
        val info = ErrorInfo(
            kind = ErrorKind.CLOSED,
            code = ErrorKind.CLOSED.value,
            text = "closed",
            status = null,
            problem = null,
            requestId = canary,
            retryAfterMs = null,
            attempts = 0u,
            mayHaveTakenEffect = false,
            isTransient = false,
            operation = null,
            argument = canary,
            place = canary,
        )
        val meta = ResponseMeta(status = 200u, requestId = canary, attempts = 1u, elapsedMs = 5u)
        val shown = "$token $options $info $meta"
        assertEquals("AccessToken(..) ClientOptions(..) closed ResponseMeta(status 200, attempts 1, 5 ms)", shown)
        assertFalse("${listOf(token, options, info, meta)} ${VitalwireException(info).stackTraceToString()}".contains(canary))
    }

    @Test
    fun `a closed client refuses calls`(): Unit = runBlocking {
        val client = client()
        client.close()
        client.close()
        val error = assertThrows<VitalwireException> { client.user.info() }
        assertEquals(ErrorKind.CLOSED, error.kind)
        assertEquals(1602, error.code)
        assertEquals("closed: the client was closed, GET /v3/userinfo", error.message)
    }

    @Test
    fun `a date of a far year does not cross`() {
        assertEquals(CalendarDate(9999, 12, 31), LocalDate.of(9999, 12, 31).toCalendarDate())
        assertThrows<IllegalArgumentException> { LocalDate.of(10_000, 1, 1).toCalendarDate() }
        // Cut to 16 bits it would be the year 1.
        assertThrows<IllegalArgumentException> { LocalDate.of(65_537, 1, 1).toCalendarDate() }
    }

    @Test
    fun `a cancelled coroutine ends the call and its connection`(): Unit = runBlocking {
        // Nobody answers on this port, so the call can only end by being cancelled.
        ServerSocket(0, 8, InetAddress.getByName("127.0.0.1")).use { hole ->
            hole.soTimeout = 20_000
            VitalwireClient(ClientOptions(baseUrl = "http://127.0.0.1:${hole.localPort}", token = "t")).use { client ->
                val call = async { client.user.info() }
                withContext(Dispatchers.IO) { hole.accept() }.use { connection ->
                    // The call itself would go on for 30 seconds.
                    connection.soTimeout = 15_000
                    val request = connection.getInputStream()
                    // The first byte of the request: the call waits for its answer now.
                    assertEquals('G'.code, withContext(Dispatchers.IO) { request.read() })
                    call.cancel()
                    assertThrows<CancellationException> { call.await() }
                    // The rest of the request, and then the end of the stream: else a read fails.
                    withContext(Dispatchers.IO) { while (request.read() != -1) Unit }
                }
            }
        }
    }
}
