package dev.vitalwire.guide

// --8<-- [start:program]
import dev.vitalwire.*
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.StandardCopyOption
import java.time.LocalDate
import kotlin.io.path.*
import kotlin.system.exitProcess

/** Replaces a file. Only its owner can read a temporary file. */
private fun write(file: Path, text: String) {
    val new = Files.createTempFile(Path("."), "2025", ".new").apply { writeText(text) }
    Files.move(new, file, StandardCopyOption.ATOMIC_MOVE)
}

suspend fun main() {
    val client = VitalwireClient {
        baseUrl = System.getenv("VITALWIRE_BASE_URL")
        token = System.getenv("VITALWIRE_TOKEN")
    }
    try {
        client.use { readYear(it) }
    } catch (error: VitalwireException) {
        System.err.println("${error.message}; the next run reads the remaining parts")
        exitProcess(1)
    }
}

private suspend fun readYear(client: VitalwireClient) {
    val left = Path("2025.resume")
    val userId = checkNotNull(client.user.info().applicationUserId) { "the response has no user id" }
    val remaining = RangeOptions {
        // With the resume token of an earlier run, only the remaining parts are requested. The token of another user is rejected.
        if (left.exists()) resume = ResumeToken.of(left.readText())
        resumeKey = userId
    }
    val (first, last) = LocalDate.of(2025, 1, 1) to LocalDate.of(2025, 12, 31)
    val types = listOf(StatisticName.STEPS, StatisticName.HEARTRATE_RESTING)
    client.statistics.dailyInParts(first, last, types, PartLength.days(90), range = remaining).parts.collect { part ->
        val rows = part.response.statistics.map { "${it.date},${it.values?.steps ?: ""},${it.values?.heartrateResting ?: ""}\n" }
        write(Path("2025-part-${part.index}.csv"), "date,steps,heartrate_resting\n" + rows.joinToString(""))
        // The token is written after the rows, because it excludes them.
        part.resumeToken?.let { write(left, it.text) }
        println("part ${part.progress.done} of ${part.progress.total}, ${part.progress.items} days")
    }
    left.deleteIfExists()
}
// --8<-- [end:program]
