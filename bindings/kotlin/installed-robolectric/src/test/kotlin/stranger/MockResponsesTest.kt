package stranger

import android.os.Bundle
import android.os.Parcel
import dagger.hilt.android.testing.HiltAndroidRule
import dagger.hilt.android.testing.HiltAndroidTest
import dagger.hilt.android.testing.HiltTestApplication
import dev.vitalwire.*
import dev.vitalwire.testing.Call
import dev.vitalwire.testing.Failure
import dev.vitalwire.testing.Samples
import dev.vitalwire.testing.on
import dev.vitalwire.testing.delayed
import dev.vitalwire.testing.failing
import dev.vitalwire.testing.of
import java.time.LocalDate
import javax.inject.Inject
import kotlin.time.Duration.Companion.minutes
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Before
import org.junit.Rule
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.Robolectric
import org.robolectric.RobolectricTestRunner
import org.robolectric.annotation.Config

/** Tests the view models in Hilt's full object graph, with a client that has mock responses. */
@HiltAndroidTest
@RunWith(RobolectricTestRunner::class)
@Config(application = HiltTestApplication::class)
class MockResponsesTest {
    @get:Rule
    val hilt = HiltAndroidRule(this)

    @Inject
    lateinit var responses: MockResponses

    @Inject
    lateinit var sleeps: Sleeps

    @Inject
    lateinit var api: VitalwireApi

    private fun activity(state: Bundle? = null) =
        Robolectric.buildActivity(MainActivity::class.java).apply { if (state == null) setup() else setup(state) }

    @Before
    fun inject() = hilt.inject()

    @Test
    fun `an injected resource is the client's`() = assertTrue(sleeps === api.sleeps)

    @Test
    fun `a view model shows a response and a failure`() {
        val model = activity().get().night
        val shown = model.show("any")
        mainUntil { shown.isCompleted }
        assertTrue(model.night.value is Shown.Night)
        responses.on(Call.SLEEPS_GET, MockResponse.failing(Failure.RATE_LIMITED))
        val failed = model.show("any")
        mainUntil { failed.isCompleted }
        assertTrue((model.night.value as Shown.Failed).error is VitalwireException.RateLimited)
        assertEquals("get_sleep", responses.requests().last().operation)
    }

    @Test
    fun `a call ends with its screen`() {
        responses.on(Call.SLEEPS_GET, MockResponse { delay = 5.minutes })
        val screen = activity()
        val job = screen.get().night.show("any")
        mainUntil { responses.requests().isNotEmpty() }
        screen.pause().stop().destroy()
        mainUntil { job.isCompleted }
        assertTrue(job.isCancelled)
    }

    @Test
    fun `a range is resumed in the next process`() {
        val (first, last) = LocalDate.of(2025, 1, 1) to LocalDate.of(2025, 3, 31)
        val answer = MockResponse.of(Samples.dailyStatistics)
        responses.on(Call.STATISTICS_DAILY, answer, answer.delayed(5.minutes))
        val screen = activity()
        val model = screen.get().steps
        model.show(first, last)
        mainUntil { model.read.value.isNotEmpty() }
        val state = Bundle().also { screen.pause().stop().saveInstanceState(it).destroy() }
        responses.on(Call.STATISTICS_DAILY, answer)
        val next = activity(recreateInNewProcess(state)).get().steps
        val parts = listOf(first..first.plusDays(29), first.plusDays(30)..first.plusDays(59), first.plusDays(60)..last)
        // The new process shows the part that the first one has read.
        assertTrue(next !== model)
        assertEquals(parts.take(1), next.read.value)
        val job = next.show(first, last)
        mainUntil { job.isCompleted }
        assertEquals(parts, next.read.value)
        assertEquals(1, responses.requests().count { ("from_date" to "$first") in it.query })
    }

    /** Serializes the saved state and restores it, as the system does when it starts a new process. */
    private fun recreateInNewProcess(state: Bundle): Bundle {
        val bytes = Parcel.obtain().run { writeBundle(state); marshall().also { recycle() } }
        return Parcel.obtain().run {
            unmarshall(bytes, 0, bytes.size)
            setDataPosition(0)
            checkNotNull(readBundle(MainActivity::class.java.classLoader)).also { recycle() }
        }
    }
}
