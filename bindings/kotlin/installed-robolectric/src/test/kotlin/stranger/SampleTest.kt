package stranger

import androidx.work.ListenableWorker.Result
import dev.vitalwire.*
import dev.vitalwire.stranger.BuildConfig
import dev.vitalwire.testing.Sandbox
import java.io.File
import java.time.LocalDate
import kotlinx.coroutines.runBlocking
import org.junit.Assert.assertArrayEquals
import org.junit.Assert.assertEquals
import org.junit.Assert.assertNull
import org.junit.Assert.assertThrows
import org.junit.Assert.assertTrue
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.RuntimeEnvironment
import org.robolectric.annotation.Config
import stranger.sync.Outcome

/** Tests the sources of the sample application `installed-android`. */
@RunWith(RobolectricTestRunner::class)
@Config(application = SampleApplication::class)
class SampleTest {
    private val application get() = RuntimeEnvironment.getApplication() as SampleApplication
    private val day = LocalDate.of(2025, 10, 5)

    private fun change(kind: RecordKind, type: ChangeType, id: String?, text: String? = null, day: LocalDate = this.day) =
        Change.of(kind, type, id, day, listOfNotNull(text))

    @Test
    fun `changes are applied in their order, with the state`() {
        val copy = application.copy
        assertNull(copy.state())
        val first = listOf(
            change(RecordKind.DAILY, ChangeType.ADDED, "a", "1"),
            change(RecordKind.DAILY, ChangeType.ADDED, "b", "2", day.plusDays(1)),
            change(RecordKind.LABS, ChangeType.ADDED, "a", "3"),
        )
        copy.store(first, byteArrayOf(1))
        assertEquals(listOf(day.plusDays(1) to "[2]", day to "[1]"), copy.rows(RecordKind.DAILY))
        val again = listOf(
            change(RecordKind.DAILY, ChangeType.DAY_REMOVED, null),
            change(RecordKind.DAILY, ChangeType.ADDED, "c", "4"),
            change(RecordKind.DAILY, ChangeType.CHANGED, "c", "5"),
            change(RecordKind.DAILY, ChangeType.REMOVED, "b", day = day.plusDays(1)),
        )
        copy.store(again, byteArrayOf(2))
        assertEquals(listOf(day to "[5]"), copy.rows(RecordKind.DAILY))
        assertEquals(listOf(day to "[3]"), copy.rows(RecordKind.LABS))
        assertArrayEquals(byteArrayOf(2), copy.state())
        copy.clear()
        assertTrue(copy.rows(RecordKind.LABS).isEmpty())
        assertNull(copy.state())
    }

    @Test
    fun `a transaction that fails changes nothing`() {
        val copy = application.copy
        copy.store(listOf(change(RecordKind.DAILY, ChangeType.ADDED, "a", "1")), byteArrayOf(1))
        val broken = object : AbstractList<Change>() {
            override val size = 2
            override fun get(index: Int) = if (index == 0) change(RecordKind.DAILY, ChangeType.ADDED, "b", "2") else error("interrupted")
        }
        assertThrows(IllegalStateException::class.java) { copy.store(broken, byteArrayOf(2)) }
        assertEquals(listOf(day to "[1]"), copy.rows(RecordKind.DAILY))
        assertArrayEquals(byteArrayOf(1), copy.state())
    }

    @Test
    fun `an update fills the copy from the sandbox, and the view model shows it`(): Unit = Sandbox.start().use { sandbox ->
        application.useSandbox(sandbox.baseUrl, sandbox.token)
        val model = DaysModel(application.copy, application::update)
        val job = model.refresh()
        mainUntil { job.isCompleted }
        val shown = model.shown.value
        assertEquals(Outcome.SUCCESS, shown.outcome)
        assertTrue(shown.days.size > 300)
        assertTrue("\"steps\":" in shown.days.first().second)
        assertEquals(Outcome.SUCCESS, runBlocking { application.update() })
        val folder = application.noBackupFilesDir
        assertTrue(File(folder, "records.db").exists() && File(folder, "secret").length() == 32L)
    }

    @Test
    fun `a published application uses no stored sandbox`() {
        application.useSandbox("http://127.0.0.1:9", "t")
        BuildConfig.SANDBOX = false
        try {
            // A mock response, because nothing listens at the address.
            assertTrue(runBlocking { application.client.user.info() }.uid != null)
        } finally {
            BuildConfig.SANDBOX = true
        }
    }

    @Test
    fun `outcomes are results of WorkManager`() {
        val expected = listOf(Result.success(), Result.retry(), Result.failure())
        assertEquals(expected, listOf(Outcome.SUCCESS, Outcome.RETRY, Outcome.FAILURE).map(SyncWorker::result))
    }
}
