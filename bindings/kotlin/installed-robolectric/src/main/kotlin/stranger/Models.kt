package stranger

import androidx.lifecycle.SavedStateHandle
import androidx.lifecycle.ViewModel
import androidx.lifecycle.viewModelScope
import dagger.hilt.android.lifecycle.HiltViewModel
import dev.vitalwire.*
import java.time.LocalDate
import javax.inject.Inject
import kotlinx.coroutines.Job
import kotlinx.coroutines.flow.MutableStateFlow
import kotlinx.coroutines.flow.StateFlow
import kotlinx.coroutines.flow.asStateFlow
import kotlinx.coroutines.launch

/** State of a screen that shows a night. */
sealed interface Shown {
    data object Nothing : Shown

    class Night(val record: SleepRecord) : Shown

    class Failed(val error: VitalwireException) : Shown
}

/** View model of a screen that shows a night. */
@HiltViewModel
class NightModel @Inject constructor(private val sleeps: Sleeps) : ViewModel() {
    private val nights = MutableStateFlow<Shown>(Shown.Nothing)

    val night: StateFlow<Shown> = nights.asStateFlow()

    fun show(id: String): Job = viewModelScope.launch {
        nights.value = try {
            Shown.Night(sleeps.get(id) { includeStages = true })
        } catch (error: VitalwireException) {
            Shown.Failed(error)
        }
    }
}

/**
 * View model of a screen with the steps of a quarter. It resumes the range call after the system has killed the process.
 *
 * The saved state has the resume token and all days read before it, because a resumed run does not read these days again. If
 * there are more than a few values, store the values and the token in a database.
 */
@HiltViewModel
class StepsModel @Inject constructor(private val statistics: Statistics, private val saved: SavedStateHandle) : ViewModel() {
    private val dates = MutableStateFlow<List<ClosedRange<LocalDate>>>(
        saved.get<LongArray>("read")?.map(LocalDate::ofEpochDay).orEmpty().chunked(2) { (first, last) -> first..last },
    )

    /** The days of each part that was read, also by an earlier process. */
    val read: StateFlow<List<ClosedRange<LocalDate>>> = dates.asStateFlow()

    fun show(first: LocalDate, last: LocalDate): Job = viewModelScope.launch {
        val left = saved.get<String>("left")
        if (left == null) dates.value = emptyList()
        val one = RangeOptions {
            concurrency = 1
            resume = left?.let(ResumeToken::of)
        }
        statistics.dailyInParts(first, last, listOf(StatisticName.STEPS), PartLength.days(30), range = one).parts.collect { part ->
            (part.range as? RangeBounds.Days)?.let { dates.value += listOf(it.first..it.last) }
            // No function suspends in between, so the system saves both or neither.
            saved["read"] = dates.value.flatMap { listOf(it.start.toEpochDay(), it.endInclusive.toEpochDay()) }.toLongArray()
            saved["left"] = part.resumeToken?.text
        }
    }
}
