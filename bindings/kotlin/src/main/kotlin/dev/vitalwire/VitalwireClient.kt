package dev.vitalwire

import dev.vitalwire.ffi.Answers
import dev.vitalwire.ffi.Attempt
import dev.vitalwire.ffi.AttemptListener
import dev.vitalwire.ffi.CancelToken
import dev.vitalwire.ffi.ClientOptions
import dev.vitalwire.ffi.NativeClient
import dev.vitalwire.ffi.TokenProvider
import dev.vitalwire.ffi.WaitObserver
import dev.vitalwire.ffi.WaitProgress
import java.util.concurrent.CancellationException
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.ensureActive
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext

/**
 * A client of the service. Calls are grouped by resource: `client.sleeps.get(id)`.
 *
 * Cancelling the coroutine of a call ends it and closes its connection. Close the client when it is no longer needed: calls that
 * run then end normally, later ones fail with kind `CLOSED`.
 *
 * @param options base URLs, tokens, deadlines, trust.
 * @param tokenProvider gives tokens where [options] holds none. An application never holds the service's key: it gets tokens
 *   from its own server.
 * @param careTokenProvider the same for the policy-benefits service.
 * @param answers are given instead of calling a service, for tests and previews; what is not set of base URLs and tokens is made up.
 * @param onAttempt is told of every attempt, by the thread that drives the call, which goes on when it returns: keep it short. What it throws
 *   is dropped. [AttemptLog] has ready ones.
 * @throws VitalwireException of kind `CONFIGURATION`.
 */
class VitalwireClient(
    options: ClientOptions,
    tokenProvider: TokenProvider? = null,
    careTokenProvider: TokenProvider? = null,
    answers: Answers? = null,
    onAttempt: ((Attempt) -> Unit)? = null,
) : AutoCloseable {
    private val native: NativeClient = translated {
        NativeClient(options, tokenProvider, careTokenProvider, answers, onAttempt?.let(::Listener))
    }

    internal suspend fun <T> call(work: suspend (NativeClient) -> Response<T>): Response<T> = translated { work(native) }

    /**
     * Makes a call that ends when an analysis has.
     *
     * The native side ends it when the coroutine is cancelled and then says what was known; a suspending function of its own would be
     * left where it is.
     */
    internal suspend fun <T> wait(
        onProgress: ((WaitProgress) -> Unit)?,
        work: suspend (NativeClient, CancelToken, WaitObserver?) -> Response<T>,
    ): Response<T> = CancelToken().use { cancel ->
        val observer = onProgress?.let { Observer(it, cancel) }
        var ended: VitalwireException? = null
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
                            call { work(it, cancel, observer) }
                        } catch (error: VitalwireException) {
                            // Of a coroutine that was cancelled meanwhile, what is thrown in here need not come out.
                            ended = error
                            throw error
                        }
                    }.also { observer?.raised?.let { raised -> throw raised } }
                } finally {
                    watching.cancel()
                }
            }
        } catch (error: CancellationException) {
            throw ended?.let { WaitCancelledException(it, error) } ?: error
        } catch (error: VitalwireException) {
            observer?.raised?.let { raised -> throw raised.apply { addSuppressed(error) } }
            try {
                currentCoroutineContext().ensureActive()
            } catch (cancelled: CancellationException) {
                throw WaitCancelledException(error, cancelled)
            }
            throw error
        }
    }

    /** Closes the client; calls that run then end normally. */
    override fun close() = close(endCalls = false)

    /** Closes the client. With [endCalls], calls on their way end now with kind `CLOSED`. Doing it again does nothing more. */
    fun close(endCalls: Boolean) = native.shut(endCalls)
}

/** A lambda as the native side calls it. What it throws ends the wait, and is thrown at its end. */
private class Observer(private val told: (WaitProgress) -> Unit, private val cancel: CancelToken) : WaitObserver {
    @Volatile
    var raised: Throwable? = null
        private set

    override fun progressed(progress: WaitProgress) {
        if (raised != null) return
        try {
            told(progress)
        } catch (error: Throwable) {
            raised = error
            cancel.cancel()
        }
    }
}

/** A lambda as the native side tells it of attempts. */
private class Listener(private val told: (Attempt) -> Unit) : AttemptListener {
    override fun attempted(attempt: Attempt) = told(attempt)
}
