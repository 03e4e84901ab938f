package stranger

import androidx.lifecycle.ViewModel
import androidx.lifecycle.viewModelScope
import dev.vitalwire.*
import java.time.LocalDate
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.flow.MutableStateFlow
import kotlinx.coroutines.flow.StateFlow
import kotlinx.coroutines.flow.asStateFlow
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext
import stranger.sync.Outcome

/** View model of the screen with the days of the copy. It shows the stored days at once, and updates the copy meanwhile. */
class DaysModel(private val copy: SqliteCopy, private val update: suspend () -> Outcome) : ViewModel() {
    /** State of the screen. [outcome] is null while the copy is updated. */
    data class Shown(val days: List<Pair<LocalDate, String>> = emptyList(), val outcome: Outcome? = null)

    private val state = MutableStateFlow(Shown())

    val shown: StateFlow<Shown> = state.asStateFlow()

    fun refresh(): Job = viewModelScope.launch {
        state.value = Shown(days())
        val outcome = update()
        state.value = Shown(days(), outcome)
    }

    private suspend fun days() = withContext(Dispatchers.IO) { copy.rows(RecordKind.DAILY) }
}
