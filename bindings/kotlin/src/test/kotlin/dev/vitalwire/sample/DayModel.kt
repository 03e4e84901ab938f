// A sample: the model of a screen that adds meals and shows a year. On Android, it extends `ViewModel` and uses `viewModelScope`.
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

/** State of the last photo. */
sealed interface Meal {
    data object None : Meal

    data object Sending : Meal

    /** The wait can be repeated with this id, even after the screen was left. */
    class Analysing(val recordId: String?) : Meal

    class Analysed(val record: NutritionRecord) : Meal

    /** [sendAgain] is whether a button may send the same photo: not if the upload may have taken effect. */
    class Failed(val text: String, val sendAgain: Boolean) : Meal
}

/** The bars of a chart, and the fraction that was read. */
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
                val bars = part.response.dailyStatisticsTable().points("steps").map { it.value }
                years.value = Year(years.value.steps + bars, part.progress.fraction)
            }
        } catch (error: VitalwireException) {
            years.value = Year(years.value.steps, years.value.fraction, "${error.message}")
        }
    }
}
