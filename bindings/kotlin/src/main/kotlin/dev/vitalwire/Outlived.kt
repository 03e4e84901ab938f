package dev.vitalwire

import java.util.concurrent.CancellationException
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.ensureActive
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext

/** What came of work that outlives the cancelling of its coroutine, and whether that was cancelled meanwhile. */
internal class Outlived<T>(val result: Result<T>, val cancelled: CancellationException?) {
    /** What the work gave; where it threw, that is thrown, or the cancelling that it threw for. */
    fun given(): T = result.getOrElse { throw cancelled ?: it }
}

/**
 * Does work that [cancel] ends when the coroutine is cancelled: what it then gives or throws is kept. A suspending function of the native
 * side would be left where it is, and a scope that was cancelled lets nothing out.
 */
internal suspend fun <T> outlived(cancel: () -> Unit, work: suspend () -> T): Outlived<T> {
    var result: Result<T>? = null
    try {
        coroutineScope {
            val watching = launch(start = CoroutineStart.UNDISPATCHED) {
                try {
                    awaitCancellation()
                } finally {
                    if (result == null) cancel()
                }
            }
            withContext(NonCancellable) { result = runCatching { work() } }
            // With its argument: the default's bridge is in other classes from coroutines 1.11 on.
            watching.cancel(null)
        }
        currentCoroutineContext().ensureActive()
    } catch (error: CancellationException) {
        return Outlived(result ?: throw error, error)
    }
    return Outlived(checkNotNull(result), null)
}
