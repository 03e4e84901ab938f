// Kotlin code of the README. `ReadmeTest` checks that both are equal.
package dev.vitalwire.readme

import dev.vitalwire.*
import java.time.Instant
import java.time.LocalDate

suspend fun year(
    client: VitalwireClient,
    userId: String,
    first: LocalDate,
    saved: MutableMap<String, String?>,
    bar: (Instant, Double) -> Unit,
) {
    val days = RangeOptions {
        resume = saved["left"]?.let(ResumeToken::of)
        // The resume token of another user is rejected.
        resumeKey = userId
    }
    val last = first.plusYears(1)
    val steps = client.statistics.dailyInParts(first, last, listOf(StatisticName.STEPS), PartLength.days(30), range = days)
    steps.parts.collect { part ->
        for (point in part.response.table().points(StatisticName.STEPS)) bar(point.time, point.value)
        saved["left"] = part.resumeToken?.text
    }
}
