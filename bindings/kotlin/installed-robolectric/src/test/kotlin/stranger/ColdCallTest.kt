package stranger

import android.os.Handler
import android.os.Looper
import dagger.hilt.android.testing.HiltAndroidRule
import dagger.hilt.android.testing.HiltAndroidTest
import dagger.hilt.android.testing.HiltTestApplication
import java.util.Collections
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit
import java.util.logging.Level
import java.util.logging.LogRecord
import java.util.logging.Logger
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertTrue
import org.junit.Rule
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.Robolectric
import org.robolectric.RobolectricTestRunner
import org.robolectric.annotation.Config

/** Tests that the first call of a process does not block the main thread. */
@HiltAndroidTest
@RunWith(RobolectricTestRunner::class)
@Config(application = HiltTestApplication::class)
class ColdCallTest {
    @get:Rule
    val hilt = HiltAndroidRule(this)

    private val loaders = Collections.synchronizedSet(mutableSetOf<Thread>())

    /** Whether the main thread ran tasks while the library was loaded. */
    @Volatile
    private var wentOn = false

    @Test
    fun `the main thread runs its tasks while the native library is loaded`() {
        val gone = CountDownLatch(TASKS)
        val main = Handler(Looper.getMainLooper())
        val tick = object : Runnable {
            override fun run() {
                if (loaders.isNotEmpty()) gone.countDown()
                if (gone.count > 0) main.post(this)
            }
        }
        val logger = captureJnaLog { wentOn = gone.await(5, TimeUnit.SECONDS) }
        val model = Robolectric.buildActivity(MainActivity::class.java).setup().get().night
        main.post(tick)
        val job = model.show("any")
        mainUntil { job.isCompleted }
        assertTrue("${model.night.value}", model.night.value is Shown.Night)
        assertEquals("JNA did not say that it looks for the library", 1, loaders.size)
        assertFalse(Looper.getMainLooper().thread in loaders)
        assertTrue("the main thread was held", wentOn)
        assertTrue(logger.handlers.isNotEmpty())
    }

    /** Adds a log handler that calls [hold]. JNA logs on the thread that searches for the library, so [hold] can delay the loading. */
    private fun captureJnaLog(hold: () -> Unit): Logger = Logger.getLogger("com.sun.jna").apply {
        useParentHandlers = false
        level = Level.ALL
        addHandler(
            object : java.util.logging.Handler() {
                override fun publish(record: LogRecord) {
                    if ("vitalwire_uniffi" in record.message && loaders.add(Thread.currentThread())) hold()
                }

                override fun flush() = Unit

                override fun close() = Unit
            },
        )
    }

    private companion object {
        const val TASKS = 20
    }
}
