package stranger

import androidx.compose.foundation.lazy.LazyColumn
import androidx.compose.foundation.lazy.items
import androidx.compose.material3.Text
import androidx.compose.runtime.Composable
import androidx.compose.runtime.LaunchedEffect
import androidx.compose.runtime.collectAsState
import androidx.compose.runtime.getValue
import stranger.sync.Outcome

/** Screen with the days of the copy. */
@Composable
fun DaysScreen(model: DaysModel) {
    val shown by model.shown.collectAsState()
    LaunchedEffect(model) { model.refresh() }
    LazyColumn {
        item { Text(status(shown.outcome)) }
        items(shown.days, key = { it.first }) { (day, rows) -> Text("$day $rows") }
    }
}

private fun status(outcome: Outcome?): String = when (outcome) {
    null -> "Updating"
    Outcome.SUCCESS -> "Up to date"
    Outcome.RETRY -> "The service cannot be reached. The update is repeated later."
    Outcome.FAILURE -> "The update has failed. Try again later, or sign in again."
}
