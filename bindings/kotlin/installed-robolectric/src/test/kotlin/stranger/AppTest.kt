package stranger

import android.util.Log
import dev.vitalwire.VitalwireException
import dev.vitalwire.testing.Sandbox
import org.junit.After
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertTrue
import org.junit.Before
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.Robolectric
import org.robolectric.RobolectricTestRunner
import org.robolectric.RuntimeEnvironment
import org.robolectric.annotation.Config
import org.robolectric.shadows.ShadowLog

/** Tests the application with its production Hilt modules and a sandbox. */
@RunWith(RobolectricTestRunner::class)
@Config(application = App::class)
class AppTest {
    private val sandbox = Sandbox.start()
    private val model by lazy { Robolectric.buildActivity(MainActivity::class.java).setup().get().night }

    @Before
    fun signIn() {
        Account(RuntimeEnvironment.getApplication()).apply {
            url = sandbox.baseUrl
            token = sandbox.token
        }
    }

    @After
    fun end() = sandbox.close()

    @Test
    fun `a night is requested and shown, and Logcat has a line without health data`() {
        val job = model.show(sandbox.sleepId)
        mainUntil { job.isCompleted }
        val night = (model.night.value as Shown.Night).record
        assertEquals(sandbox.sleepId, night.id)
        assertTrue(night.stages.orEmpty().isNotEmpty())
        assertEquals(1, countLogLines("200"))
    }

    @Test
    fun `a missing night is reported, and logged without its id`() {
        val id = "00000000-0000-4000-8000-000000000000"
        val job = model.show(id)
        mainUntil { job.isCompleted }
        assertTrue((model.night.value as Shown.Failed).error is VitalwireException.NotFound)
        assertEquals(1, countLogLines("404 not_found", id))
    }

    /** Returns the number of logged attempts with this outcome. Checks that the log contains neither secrets nor ids. */
    private fun countLogLines(outcome: String, vararg ids: String): Int {
        val shape = Regex("""GET /v3/queries/sleeps/\{[a-z_]+\} \(get_sleep\), attempt 1: $outcome in \d+ ms""")
        val logged = ShadowLog.getLogs()
        for (line in logged) {
            for (secret in listOf(sandbox.token, sandbox.sleepId, *ids)) assertFalse(line.tag, secret in "${line.msg} ${line.throwable}")
        }
        val ours = logged.filter { it.tag == "Vitalwire" }
        assertTrue(ours.all { it.type == Log.DEBUG })
        return ours.count { shape.matches(it.msg) }
    }
}
