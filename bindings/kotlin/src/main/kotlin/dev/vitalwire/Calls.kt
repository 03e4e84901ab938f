package dev.vitalwire

import dev.vitalwire.ffi.CancelToken
import dev.vitalwire.ffi.ErrorInfo
import dev.vitalwire.ffi.NativeClient
import dev.vitalwire.ffi.ResponseMetadata
import dev.vitalwire.ffi.WaitObserver
import dev.vitalwire.ffi.WaitProgress as NativeWaitProgress
import java.util.concurrent.CancellationException
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.withContext
import dev.vitalwire.ffi.WaitOptions as NativeWaitOptions

/** Runs a client's calls off the caller's thread. */
internal class Calls(private val connection: Connection) {
    /** Makes a call and stores the response metadata, from which `withResponse` creates a [Response]. */
    suspend fun <T> call(work: suspend (NativeClient) -> Pair<T, ResponseMetadata>): T {
        val (value, metadata) = native(work)
        currentCoroutineContext()[LastResponse]?.metadata = metadata
        return value
    }

    /**
     * Runs work that needs the native library on [Dispatchers.IO]. Loading the library and decoding a large response would block a UI
     * thread.
     */
    suspend fun <T> native(work: suspend (NativeClient) -> T): T = withContext(Dispatchers.IO) {
        translateErrors(connection::thrown) { work(connection.native()) }
    }

    /** Returns the exception of the token provider that caused an error, if any. */
    fun cause(info: ErrorInfo): Throwable? = connection.thrown(info)

    /**
     * Makes a call that waits for an analysis. If the coroutine is cancelled, the native library ends the wait, and the exception has
     * the last known record.
     */
    suspend fun <T : AwaitableRecord> wait(
        wait: WaitOptions,
        work: suspend (NativeClient, NativeWaitOptions, CancelToken, WaitObserver) -> Pair<T, ResponseMetadata>,
    ): T = withContext(Dispatchers.IO) { translateErrors { CancelToken() } }.use { cancel ->
        val observer = Observer(wait.onProgress, cancel)
        val outcome = runToEnd(cancel::cancel) { call { work(it, wait.toNative(), cancel, observer) } }
        val failed = outcome.result.exceptionOrNull()
        observer.raised?.let { raised -> throw raised.apply { if (failed != null && failed !== this) addSuppressed(failed) } }
        outcome.cancelled?.let { throw cancelled(failed as? VitalwireException, outcome.result.getOrNull(), observer, it) ?: it }
        outcome.result.getOrThrow()
    }

    /** Creates the exception of a cancelled wait; null if the wait had not begun. */
    private fun cancelled(failed: VitalwireException?, ended: AwaitableRecord?, observer: Observer, cause: CancellationException) = when {
        failed != null ->
            WaitCancelledException(failed.recordId ?: observer.recordId ?: failed.lastRecord?.id, failed.lastRecord, failed, cause)
        ended != null -> WaitCancelledException(observer.recordId ?: ended.id, ended, null, cause)
        else -> null
    }
}

/** Passes progress to a callback. The first exception of the callback cancels the wait and is rethrown when the wait has ended. */
private class Observer(private val callback: ((WaitProgress) -> Unit)?, private val cancel: CancelToken) : WaitObserver {
    @Volatile
    var raised: Throwable? = null
        private set

    /** Id of the record; null until a progress contains it. */
    @Volatile
    var recordId: String? = null
        private set

    override fun progressed(progress: NativeWaitProgress) {
        recordId = progress.recordId ?: recordId
        if (raised != null) return
        try {
            callback?.invoke(WaitProgress(progress))
        } catch (error: Throwable) {
            raised = error
            cancel.cancel()
        }
    }
}
