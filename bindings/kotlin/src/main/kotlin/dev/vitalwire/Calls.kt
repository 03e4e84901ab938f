package dev.vitalwire

import dev.vitalwire.ffi.CancelToken
import dev.vitalwire.ffi.NativeClient
import dev.vitalwire.ffi.ResponseMeta
import dev.vitalwire.ffi.WaitObserver
import dev.vitalwire.ffi.WaitProgress
import java.util.concurrent.CancellationException
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.ensureActive
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext
import dev.vitalwire.ffi.WaitOptions as CrossedWaitOptions

/** Makes the calls of a client. */
internal class Calls(private val connection: Connection) {
    /** Makes a call away from the caller's thread, which may draw a screen: loading the library and reading a long answer take a while. */
    suspend fun <T> call(work: suspend (NativeClient) -> Pair<T, ResponseMeta>): T = withContext(Dispatchers.IO) {
        val (value, meta) = translated(connection::thrown) { work(connection.native()) }
        currentCoroutineContext()[Facts]?.last = meta
        value
    }

    /**
     * Makes a call that ends when an analysis has.
     *
     * The native side ends it when the coroutine is cancelled and then says what was known; a suspending function of its own would be
     * left where it is.
     */
    suspend fun <T : AnalysedRecord> wait(
        wait: WaitOptions,
        work: suspend (NativeClient, CrossedWaitOptions, CancelToken, WaitObserver) -> Pair<T, ResponseMeta>,
    ): T = withContext(Dispatchers.IO) { translated { CancelToken() } }.use { cancel ->
        val observer = Observer(wait.onProgress, cancel)
        // What is thrown or given within a scope that was cancelled meanwhile need not come out of it.
        var failed: VitalwireException? = null
        var ended: T? = null
        try {
            coroutineScope {
                val watching = launch(start = CoroutineStart.UNDISPATCHED) {
                    try {
                        awaitCancellation()
                    } finally {
                        cancel.cancel()
                    }
                }
                try {
                    withContext(NonCancellable) {
                        try {
                            call { work(it, wait.crossing(), cancel, observer) }.also { ended = it }
                        } catch (error: VitalwireException) {
                            failed = error
                            throw error
                        }
                    }.also { observer.raised?.let { raised -> throw raised } }
                } finally {
                    watching.cancel()
                }
            }
        } catch (error: CancellationException) {
            if (error === observer.raised) throw error
            throw cancelled(failed, ended, observer, error) ?: error
        } catch (error: VitalwireException) {
            observer.raised?.let { raised -> throw raised.apply { if (this !== error) addSuppressed(error) } }
            try {
                currentCoroutineContext().ensureActive()
            } catch (cancelled: CancellationException) {
                throw cancelled(error, null, observer, cancelled) ?: cancelled
            }
            throw error
        }
    }

    /** What was known of a wait that was cancelled; nothing where it did not begin. */
    private fun cancelled(failed: VitalwireException?, ended: AnalysedRecord?, observer: Observer, cause: CancellationException) = when {
        failed != null -> WaitCancelledException(failed.recordId ?: observer.recordId, failed.lastRecord, failed, cause)
        ended != null -> WaitCancelledException(observer.recordId ?: ended.id, ended, null, cause)
        else -> null
    }
}

/** A lambda as the native side calls it. What it throws ends the wait, and is thrown at its end. */
private class Observer(private val told: ((AnalysisProgress) -> Unit)?, private val cancel: CancelToken) : WaitObserver {
    @Volatile
    var raised: Throwable? = null
        private set

    /** The id of the record, as soon as it is known. */
    @Volatile
    var recordId: String? = null
        private set

    override fun progressed(progress: WaitProgress) {
        recordId = progress.recordId ?: recordId
        if (raised != null) return
        try {
            told?.invoke(AnalysisProgress(progress))
        } catch (error: Throwable) {
            raised = error
            cancel.cancel()
        }
    }
}
