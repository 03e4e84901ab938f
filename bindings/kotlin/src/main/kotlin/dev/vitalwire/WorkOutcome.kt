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

/** The result of work that continues after its coroutine is cancelled, and the cancellation if there was one. */
internal class WorkOutcome<T>(val result: Result<T>, val cancelled: CancellationException?) {
    /** Returns the value of the work. If the work failed, throws the cancellation, or else the failure. */
    fun getOrThrow(): T = result.getOrElse { throw cancelled ?: it }
}

/**
 * Runs work and keeps its result even if the coroutine is cancelled. A cancellation calls [cancel], which must make the work end.
 *
 * Otherwise, a suspended native function would be abandoned, and a cancelled scope would discard its result.
 */
internal suspend fun <T> runToEnd(cancel: () -> Unit, work: suspend () -> T): WorkOutcome<T> {
    var result: Result<T>? = null
    try {
        coroutineScope {
            val watcher = launch(start = CoroutineStart.UNDISPATCHED) {
                try {
                    awaitCancellation()
                } finally {
                    if (result == null) cancel()
                }
            }
            withContext(NonCancellable) { result = runCatching { work() } }
            // Pass the argument: the bridge for the default value moved to another class in coroutines 1.11.
            watcher.cancel(null)
        }
        currentCoroutineContext().ensureActive()
    } catch (error: CancellationException) {
        return WorkOutcome(result ?: throw error, error)
    }
    return WorkOutcome(checkNotNull(result), null)
}
