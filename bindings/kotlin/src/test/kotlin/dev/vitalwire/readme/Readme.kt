// The Kotlin code of the README. `ReadmeTest` checks that both are equal.
package dev.vitalwire.readme

import dev.vitalwire.testing.*
import java.io.InputStream
import java.time.Instant
import java.time.LocalDate
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Assertions.assertNotNull
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.assertThrows
import org.junit.jupiter.api.extension.ExtendWith
import dev.vitalwire.*

suspend fun deepSleep(url: String, token: String, id: String) {
    val client = VitalwireClient {
        baseUrl = url
        this.token = token
    }
    client.use {
        val night = client.sleeps.get(id) { includeStages = true }
        for (stage in night.stages.orEmpty().filter { it.stage == SleepStageName.DEEP }) {
            println("${stage.duration} of deep sleep")
        }
    }
}

suspend fun meal(client: VitalwireClient, photo: InputStream, show: (Any?) -> Unit) {
    client.nutritionRecords.uploadAndWaitAsFlow(PictureUpload.of(photo, removeMetadata = true)).collect { state ->
        when (state) {
            is WaitState.Progress -> show(state.progress.recordId)
            is WaitState.Ended -> show(state.record)
        }
    }
}

suspend fun year(client: VitalwireClient, first: LocalDate, saved: MutableMap<String, String?>, bar: (Instant, Double) -> Unit) {
    val days = RangeOptions { resume = saved["left"]?.let(ResumeToken::of) }
    val last = first.plusYears(1)
    val steps = client.statistics.dailyInParts(first, last, listOf(StatisticName.STEPS), PartLength.days(30), range = days)
    steps.parts.collect { part ->
        for (point in part.response.dailyStatisticsTable().points("steps")) bar(point.time, point.value)
        saved["left"] = part.resumeToken?.text
    }
}

class Nights(private val sleeps: Sleeps) {
    suspend fun score(id: String): Long? = sleeps.get(id).score
}

val fake = object : Sleeps {
    override suspend fun get(id: String, options: GetSleepOptions) = SleepRecord { score = 80 }
}

@ExtendWith(SandboxExtension::class)
class NightTest {
    @Test
    fun `the last night has stages`(sandbox: Sandbox): Unit = runBlocking {
        assertNotNull(sandbox.client.sleeps.get(sandbox.sleepId) { includeStages = true }.stages)
    }

    @Test
    fun `a failure is reported`(): Unit = runBlocking {
        val client = VitalwireClient.mock(MockResponses.samples().on(Call.SLEEPS_GET, MockResponse.failing(Failure.RATE_LIMITED)))
        assertThrows<VitalwireException.RateLimited> { client.sleeps.get("any") }
    }
}
