// Kotlin code of the README. `ReadmeTest` checks that both are equal.
package dev.vitalwire.readme

import dev.vitalwire.*
import java.time.LocalDate

suspend fun year(
    client: VitalwireClient,
    userId: String,
    first: LocalDate,
    stored: String?,
    store: (List<Table.Point>, String?) -> Unit,
) {
    val days = RangeOptions {
        resume = stored?.let(ResumeToken::of)
        // The resume token of another user is rejected.
        resumeKey = userId
    }
    val last = first.plusYears(1)
    val steps = client.statistics.dailyInParts(first, last, listOf(StatisticName.STEPS), PartLength.days(30), range = days)
    steps.parts.collect { part ->
        // Stores the values and the token in one transaction.
        store(part.response.table().points(StatisticName.STEPS), part.resumeToken?.text)
    }
}
