package stranger

import dev.vitalwire.*
import dev.vitalwire.serialization.SleepRecordSerializer
import dev.vitalwire.testing.Samples
import java.time.LocalDate
import java.util.Base64
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout
import kotlinx.serialization.json.Json

/** Calls the sandbox at `VITALWIRE_BASE_URL` and checks results that are the same on every system. */
object KotlinConsumer {
    @JvmStatic
    fun main(arguments: Array<String>): Unit = runBlocking {
        val given = System.getenv()
        VitalwireClient {
            baseUrl = given.getValue("VITALWIRE_BASE_URL")
            token = given.getValue("VITALWIRE_TOKEN")
            noProxy = true
        }.use { client ->
            val night = client.sleeps.get(given.getValue("VITALWIRE_SLEEP_ID")) { includeStages = true }
            check(night.id == given["VITALWIRE_SLEEP_ID"] && night.stages.orEmpty().isNotEmpty())
            println("$night with stages")
            val text = Json.encodeToString(SleepRecordSerializer, night)
            check(Json.decodeFromString(SleepRecordSerializer, text) == night)
            try {
                client.sleeps.get("00000000-0000-4000-8000-000000000000")
            } catch (error: VitalwireException.NotFound) {
                println("status ${error.status}")
            }
        }
        var asked = 0
        var seen = 0
        VitalwireClient {
            mockResponses = MockResponses.samples()
            tokenProvider { AccessToken("t").also { asked++ } }
            onAttempt { seen++ }
        }.use { client ->
            check("${client.sleeps.get("any")}" == "${SleepRecord.fromJson(Samples.sleepRecord.toJson())}")
            val upload = PictureUpload.of(picture.inputStream(), removeMetadata = true)
            val states = client.nutritionRecords.uploadAndWaitAsFlow(upload).toList()
            val meal = (states.last() as WaitState.Ended).record
            val first = LocalDate.of(2025, 1, 1)
            val range = client.statistics.dailyInParts(first, first.plusDays(59), listOf(StatisticName.STEPS), PartLength.days(30))
            val parts = range.parts.toList()
            check(meal.id != null) { "no id" }
            // All parts get the same mock response, and later parts leave out duplicate items.
            check(parts.any { it.response.table().points(StatisticName.STEPS).isNotEmpty() }) { "no steps" }
            check(asked > 0 && seen > 0) { "the native library called nothing back" }
            println("meal, ${parts.size} parts")
            client.sleeps.between(first, first.plusDays(2)).collectAll()
            println("search ended")
        }
        val ended = CompletableDeferred<Unit>()
        VitalwireClient {
            mockResponses = MockResponses.samples()
            tokenProvider {
                try {
                    awaitCancellation()
                } finally {
                    ended.complete(Unit)
                }
            }
        }.use { client ->
            val error = runCatching { client.sleeps.get("any") { timeout = 200.milliseconds } }.exceptionOrNull()
            check(error is VitalwireException.Timeout) { "$error" }
            withTimeout(10.seconds) { ended.await() }
            println("token provider cancelled")
        }
        println("Kotlin ended")
    }

    private val picture = Base64.getDecoder().decode(
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    )
}
