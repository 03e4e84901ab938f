package dev.vitalwire.guide

// --8<-- [start:program]
import dev.vitalwire.*
import java.io.File
import java.nio.file.Files
import java.nio.file.StandardCopyOption
import java.time.LocalDate

/** Outcomes of a run in the background, with the names of WorkManager's `Result`. */
enum class Outcome { SUCCESS, RETRY, FAILURE }

/** Stores the steps of a week. In an app, `doWork` of a `CoroutineWorker` calls this function. */
suspend fun syncSteps(client: VitalwireApi, lastDay: LocalDate, file: File): Outcome = try {
    val days = client.statistics.daily(lastDay.minusDays(6), lastDay, listOf(StatisticName.STEPS)).statistics
    // Only its owner can read a temporary file.
    val new = Files.createTempFile(file.absoluteFile.parentFile.toPath(), "steps", ".new")
    new.toFile().writeText(days.joinToString("\n") { "${it.date} ${it.values?.steps ?: "unknown"}" })
    Files.move(new, file.toPath(), StandardCopyOption.ATOMIC_MOVE)
    Outcome.SUCCESS
} catch (error: VitalwireException) {
    if (error.isTransient) Outcome.RETRY else Outcome.FAILURE
}

suspend fun main() {
    val client = VitalwireClient {
        baseUrl = System.getenv("VITALWIRE_BASE_URL")
        token = System.getenv("VITALWIRE_TOKEN")
    }
    val file = File("steps.txt")
    client.use { println(syncSteps(client, LocalDate.of(2025, 11, 20), file)) }
    println(file.readText())
}
// --8<-- [end:program]
