package stranger

import android.os.Looper
import java.util.concurrent.TimeUnit
import org.robolectric.Shadows.shadowOf

/** Runs the tasks of the main thread until [condition] is true. */
fun mainUntil(condition: () -> Boolean) {
    val end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20)
    val main = shadowOf(Looper.getMainLooper())
    while (!condition()) {
        check(System.nanoTime() < end) { "it was not so within 20 s" }
        if (main.isIdle) Thread.sleep(1) else main.runOneTask()
    }
}
