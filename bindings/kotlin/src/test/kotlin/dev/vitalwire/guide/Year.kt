package dev.vitalwire.guide

// --8<-- [start:program]
import dev.vitalwire.*
import java.io.File
import java.time.LocalDate

suspend fun main() {
    val (rows, left) = File("2025.csv") to File("2025.resume")
    // With the resume token of an earlier run, only the remaining parts are requested.
    val remaining = RangeOptions { if (left.exists()) resume = ResumeToken.of(left.readText()) }
    if (!left.exists()) rows.writeText("date,steps,heartrate_resting\n")

    val client = VitalwireClient {
        baseUrl = System.getenv("VITALWIRE_BASE_URL")
        token = System.getenv("VITALWIRE_TOKEN")
    }
    client.use {
        val (first, last) = LocalDate.of(2025, 1, 1) to LocalDate.of(2025, 12, 31)
        val types = listOf(StatisticName.STEPS, StatisticName.HEARTRATE_RESTING)
        client.statistics.dailyInParts(first, last, types, PartLength.days(90), range = remaining).parts.collect { part ->
            for (day in part.response.statistics) {
                rows.appendText("${day.date},${day.values?.steps ?: ""},${day.values?.heartrateResting ?: ""}\n")
            }
            val token = part.resumeToken
            if (token == null) left.delete() else left.writeText(token.text)
            println("part ${part.progress.done} of ${part.progress.total}, ${part.progress.items} days")
        }
    }
    println("${rows.readLines().size - 1} days in ${rows.name}")
}
// --8<-- [end:program]
