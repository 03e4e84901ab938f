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
            else -> println("${meal.dishName}, ${meal.nutritionalFields?.energyKcal?.roundToInt()} kcal")
        }

        val document = DocumentUpload.of(File("report.pdf"), name = "report.pdf")
        val report = try {
            client.labReports.uploadAndWait(document)
        } catch (error: VitalwireException) {
            client.labReports.waitFor(error.recordId ?: throw error)
        }
        for (result in report.sections.orEmpty().flatMap { it.results.orEmpty() }) {
            println("${result.standardTestName ?: result.originalTestName}: ${result.value ?: result.valueText}")
        }
    }
}
// --8<-- [end:program]
