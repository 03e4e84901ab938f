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
import dev.vitalwire.ffi.WaitOptions as CrossedWaitOptions

/** Makes the calls of a client. */
internal class Calls(private val connection: Connection) {
    /** Makes a call. */
    suspend fun <T> call(work: suspend (NativeClient) -> Pair<T, ResponseMetadata>): T {
        val (value, meta) = native(work)
        currentCoroutineContext()[Facts]?.last = meta
        return value
    }

    /** Does something away from the caller's thread, which may draw a screen: loading the library and reading a long answer take a while. */
    suspend fun <T> native(work: suspend (NativeClient) -> T): T = withContext(Dispatchers.IO) {
        translated(connection::thrown) { work(connection.native()) }
    }

    /** What a token provider threw, where an error came of it. */
    fun cause(info: ErrorInfo): Throwable? = connection.thrown(info)

    /** Makes a call that ends when an analysis has; the native side ends it when the coroutine is cancelled, and then says what was known. */
    suspend fun <T : AwaitableRecord> wait(
        wait: WaitOptions,
        work: suspend (NativeClient, CrossedWaitOptions, CancelToken, WaitObserver) -> Pair<T, ResponseMetadata>,
    ): T = withContext(Dispatchers.IO) { translated { CancelToken() } }.use { cancel ->
        val observer = Observer(wait.onProgress, cancel)
        val outcome = outlived(cancel::cancel) { call { work(it, wait.crossing(), cancel, observer) } }
        val failed = outcome.result.exceptionOrNull()
        observer.raised?.let { raised -> throw raised.apply { if (failed != null && failed !== this) addSuppressed(failed) } }
        outcome.cancelled?.let { throw cancelled(failed as? VitalwireException, outcome.result.getOrNull(), observer, it) ?: it }
        outcome.result.getOrThrow()
    }

    /** What was known of a wait that was cancelled; nothing where it did not begin. */
    private fun cancelled(failed: VitalwireException?, ended: AwaitableRecord?, observer: Observer, cause: CancellationException) = when {
        failed != null -> WaitCancelledException(failed.recordId ?: observer.recordId, failed.lastRecord, failed, cause)
        ended != null -> WaitCancelledException(observer.recordId ?: ended.id, ended, null, cause)
        else -> null
    }
}

/** A lambda as the native side calls it. What it throws ends the wait, and is thrown at its end. */
private class Observer(private val told: ((WaitProgress) -> Unit)?, private val cancel: CancelToken) : WaitObserver {
    @Volatile
    var raised: Throwable? = null
        private set

    /** The id of the record, as soon as it is known. */
    @Volatile
    var recordId: String? = null
        private set

    override fun progressed(progress: NativeWaitProgress) {
        recordId = progress.recordId ?: recordId
        if (raised != null) return
        try {
            told?.invoke(WaitProgress(progress))
        } catch (error: Throwable) {
            raised = error
            cancel.cancel()
        }
    }
}
