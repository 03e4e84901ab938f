// A sample view model of a screen that adds meals and shows a year. On Android, it would extend `ViewModel` and use `viewModelScope`.
package dev.vitalwire.sample

import dev.vitalwire.*
import java.io.InputStream
import java.time.LocalDate
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Job
import kotlinx.coroutines.flow.MutableStateFlow
import kotlinx.coroutines.flow.StateFlow
import kotlinx.coroutines.flow.asStateFlow
import kotlinx.coroutines.launch

/** State of the last photo of a meal. */
sealed interface Meal {
    data object None : Meal

    data object Sending : Meal

    /** The photo is being analysed. With [recordId], a new wait can be started, even after the user left the screen. */
    class Analysing(val recordId: String?) : Meal

    class Analysed(val record: NutritionRecord) : Meal

    /** The upload or the wait failed. [sendAgain] is false if the upload may have taken effect, so that no button sends the photo again. */
    class Failed(val text: String, val sendAgain: Boolean) : Meal
}

/** A chart of a year: its bars, and the fraction of the range that was read. */
class Year(val steps: List<Double> = emptyList(), val fraction: Double = 0.0, val failure: String? = null)

class DayModel(private val api: VitalwireApi, private val scope: CoroutineScope) {
    private val meals = MutableStateFlow<Meal>(Meal.None)
    private val years = MutableStateFlow(Year())

    val meal: StateFlow<Meal> = meals.asStateFlow()
    val year: StateFlow<Year> = years.asStateFlow()

    fun add(photo: InputStream): Job = scope.launch {
        meals.value = Meal.Sending
        try {
            api.nutritionRecords.uploadAndWaitAsFlow(PictureUpload.of(photo, removeMetadata = true)).collect { state ->
                meals.value = when (state) {
                    is WaitState.Progress -> Meal.Analysing(state.progress.recordId)
                    is WaitState.Ended -> Meal.Analysed(state.record)
                }
            }
        } catch (error: VitalwireException) {
            meals.value = Meal.Failed("${error.message}", sendAgain = !error.mayHaveTakenEffect)
        }
    }

    fun show(first: LocalDate): Job = scope.launch {
        years.value = Year()
        try {
            api.statistics.dailyInParts(first, first.plusYears(1), listOf(StatisticName.STEPS), PartLength.days(30)).parts.collect { part ->
                val bars = part.response.table().points(StatisticName.STEPS).map { it.value }
                years.value = Year(years.value.steps + bars, part.progress.fraction)
            }
        } catch (error: VitalwireException) {
            years.value = Year(years.value.steps, years.value.fraction, "${error.message}")
        }
    }
}
