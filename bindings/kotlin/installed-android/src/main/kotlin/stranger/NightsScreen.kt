package stranger

import androidx.compose.foundation.lazy.LazyColumn
import androidx.compose.foundation.lazy.items
import androidx.compose.material3.Text
import androidx.compose.runtime.Composable
import androidx.compose.runtime.LaunchedEffect
import androidx.compose.runtime.getValue
import androidx.compose.runtime.mutableStateListOf
import androidx.compose.runtime.mutableStateOf
import androidx.compose.runtime.remember
import androidx.compose.runtime.setValue
import androidx.compose.ui.tooling.preview.Preview
import dev.vitalwire.*
import java.time.LocalDate

/** Screen that shows the nights of a week as they are found. Leaving the screen cancels the search. */
@Composable
fun NightsScreen(sleeps: Sleeps, today: LocalDate) {
    val nights = remember { mutableStateListOf<Night>() }
    var failure by remember { mutableStateOf<String?>(null) }
    LaunchedEffect(sleeps, today) {
        nights.clear()
        failure = null
        try {
            sleeps.between(today.minusDays(6), today) { includeStages = true }.found.collect { nights += it.night }
        } catch (error: VitalwireException) {
            failure = error.message
        }
    }
    LazyColumn {
        items(nights) { Text("${it.days.firstOrNull()}: ${it.record.score ?: "no"} points, ${it.record.stages.orEmpty().size} stages") }
        failure?.let { item { Text(it) } }
    }
}

/** Preview of the screen with a fake. It needs neither a network nor the native library. */
@Preview
@Composable
fun NightsPreview() {
    val today = LocalDate.of(2025, 3, 2)
    val nights = listOf(Night.of(listOf(today), SleepRecord { score = 80 }))
    val fake = object : Sleeps {
        override fun between(first: LocalDate, last: LocalDate, options: SleepsBetweenOptions, range: RangeOptions) = NightSearch.of(nights)
    }
    NightsScreen(fake, today)
}
