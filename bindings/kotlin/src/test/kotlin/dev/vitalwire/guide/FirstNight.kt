package dev.vitalwire.guide

// --8<-- [start:program]
import dev.vitalwire.*
import java.time.LocalDate

suspend fun main() {
    val client = VitalwireClient {
        baseUrl = System.getenv("VITALWIRE_BASE_URL")
        token = System.getenv("VITALWIRE_TOKEN")
    }
    client.use {
        val nights = client.sleeps.between(LocalDate.of(2025, 11, 14), LocalDate.of(2025, 11, 20)) { includeStages = true }
        nights.found.collect { found ->
            val sleep = found.night.record
            println("${found.days.firstOrNull()}: score ${sleep.score ?: "unknown"}")
            for (stage in sleep.stages.orEmpty()) {
                val name = stage.stage?.text ?: "unknown"
                println("  ${name.padEnd(10)} ${stage.duration?.inWholeMinutes ?: "?"} min")
            }
        }
    }
}
// --8<-- [end:program]
