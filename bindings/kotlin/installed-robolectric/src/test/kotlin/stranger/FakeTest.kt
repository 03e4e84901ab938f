package stranger

import dagger.hilt.android.testing.BindValue
import dagger.hilt.android.testing.HiltAndroidRule
import dagger.hilt.android.testing.HiltAndroidTest
import dagger.hilt.android.testing.HiltTestApplication
import dagger.hilt.android.testing.UninstallModules
import dev.vitalwire.*
import dev.vitalwire.testing.Samples
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Rule
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.Robolectric
import org.robolectric.RobolectricTestRunner
import org.robolectric.annotation.Config

/** Tests that Hilt can replace one resource by a fake in one test. */
@HiltAndroidTest
@UninstallModules(ResourcesModule::class)
@RunWith(RobolectricTestRunner::class)
@Config(application = HiltTestApplication::class)
class FakeTest {
    @get:Rule
    val hilt = HiltAndroidRule(this)

    private val requested = mutableListOf<String>()

    @BindValue
    @JvmField
    val sleeps: Sleeps = object : Sleeps {
        override suspend fun get(id: String, options: GetSleepOptions): SleepRecord {
            requested += id
            return if (options.includeStages == true) Samples.sleepRecord else throw AssertionError("no stages are requested")
        }
    }

    @BindValue
    @JvmField
    val statistics: Statistics = object : Statistics {}

    @Test
    fun `a view model uses the fake`() {
        val model = Robolectric.buildActivity(MainActivity::class.java).setup().get().night
        val job = model.show("any")
        mainUntil { job.isCompleted }
        assertEquals(Samples.sleepRecord, (model.night.value as Shown.Night).record)
        assertEquals(listOf("any"), requested)
        // A call that the fake does not override throws an error that names the call.
        val (first, last) = java.time.LocalDate.MIN to java.time.LocalDate.MAX
        val missing = runCatching { statistics.dailyInParts(first, last, emptyList(), null) }.exceptionOrNull()
        assertTrue("$missing", missing is UnsupportedOperationException && "statistics.dailyInParts" in missing.message.orEmpty())
    }
}
