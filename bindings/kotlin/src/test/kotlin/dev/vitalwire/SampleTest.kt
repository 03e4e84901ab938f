package dev.vitalwire

import dev.vitalwire.sample.DayModel
import dev.vitalwire.sample.Meal
import dev.vitalwire.testing.Failure
import dev.vitalwire.testing.mock
import dev.vitalwire.testing.delayed
import dev.vitalwire.testing.failing
import java.time.LocalDate
import java.util.Base64
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.cancel
import kotlinx.coroutines.delay
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertInstanceOf
import org.junit.jupiter.api.Assertions.assertNotNull
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test

/** Tests the sample view model, `DayModel`. */
class SampleTest {
    private val first = LocalDate.of(2025, 1, 1)

    private fun scope() = CoroutineScope(SupervisorJob() + Dispatchers.Default)

    private fun picture() = Base64.getDecoder().decode(PICTURE).inputStream()

    @Test
    fun `a photo is uploaded as a meal, and a year is read in parts`(): Unit = runBlocking {
        val model = DayModel(VitalwireClient.mock(MockResponses.samples()), scope())
        assertInstanceOf(Meal.None::class.java, model.meal.value)
        model.add(picture()).join()
        assertNotNull((model.meal.value as Meal.Analysed).record.id)
        model.show(first).join()
        assertEquals(1.0, model.year.value.fraction)
        assertTrue(model.year.value.steps.isNotEmpty())
        assertNull(model.year.value.failure)
    }

    @Test
    fun `failures are shown, and only uploads without effect are offered again`(): Unit = runBlocking {
        val model = DayModel(VitalwireClient.mock(MockResponses.failing(Failure.PERMISSION)), scope())
        model.add(picture()).join()
        val failed = model.meal.value as Meal.Failed
        assertTrue(failed.sendAgain && "403" in failed.text, failed.text)
        model.show(first).join()
        assertTrue("403" in model.year.value.failure.orEmpty())
        assertEquals(emptyList<Double>(), model.year.value.steps)
    }

    @Test
    fun `leaving a screen aborts its calls`(): Unit = runBlocking {
        val scope = scope()
        val model = DayModel(VitalwireClient.mock(MockResponses.delayed(60.seconds)), scope)
        val jobs = listOf(model.add(picture()), model.show(first))
        delay(0.2.seconds)
        scope.cancel()
        jobs.forEach { it.join() }
        assertInstanceOf(Meal.Sending::class.java, model.meal.value)
        assertTrue(jobs.all { it.isCancelled })
    }

    private companion object {
        const val PICTURE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    }
}
