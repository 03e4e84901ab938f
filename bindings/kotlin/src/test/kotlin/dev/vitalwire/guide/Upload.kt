package dev.vitalwire.guide

// --8<-- [start:program]
import dev.vitalwire.*
import java.io.File
import kotlin.math.roundToInt
import kotlin.time.Duration.Companion.minutes

suspend fun main() {
    val client = VitalwireClient {
        baseUrl = System.getenv("VITALWIRE_BASE_URL")
        token = System.getenv("VITALWIRE_TOKEN")
    }
    client.use {
        val picture = PictureUpload.of(File("lunch.png"), removeMetadata = true)
        val meal = try {
            client.nutritionRecords.uploadAndWait(picture, wait = WaitOptions { timeout = 2.minutes })
        } catch (error: VitalwireException) {
            // With an id, the picture was uploaded: wait for its record again.
            client.nutritionRecords.waitFor(error.recordId ?: throw error)
        }
        when (meal.status) {
            NutritionStatus.FAILED -> println("the service could not analyse the picture")
            else -> {
                val energy = meal.nutritionalFields?.energyKcal?.let { "${it.roundToInt()} kcal" } ?: "unknown energy"
                println("${meal.dishName ?: "a meal"}, $energy")
            }
        }

        val document = DocumentUpload.of(File("report.pdf"), name = "report.pdf")
        val report = try {
            client.labReports.uploadAndWait(document)
        } catch (error: VitalwireException) {
            client.labReports.waitFor(error.recordId ?: throw error)
        }
        for (result in report.sections.orEmpty().flatMap { it.results.orEmpty() }) {
            // Some results have a text, such as "negative", instead of a number.
            println("${result.standardTestName ?: result.originalTestName ?: "a test"}: ${result.value ?: result.valueText ?: "unknown"}")
        }
    }
}
// --8<-- [end:program]
