package dev.vitalwire

import dev.vitalwire.ffi.Answers
import dev.vitalwire.ffi.Attempt
import dev.vitalwire.ffi.AttemptListener
import dev.vitalwire.ffi.CancelToken
import dev.vitalwire.ffi.ClientOptions
import dev.vitalwire.ffi.ErrorInfo
import dev.vitalwire.ffi.ErrorKind
import dev.vitalwire.ffi.NativeClient
import dev.vitalwire.ffi.TokenProvider
import dev.vitalwire.ffi.WaitObserver
import dev.vitalwire.ffi.WaitProgress
import java.util.concurrent.CancellationException
import java.util.concurrent.atomic.AtomicBoolean
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

    private val closed = AtomicBoolean(false)

    internal suspend fun <T> call(work: suspend (NativeClient) -> Response<T>): Response<T> {
        if (closed.get()) throw closedException()
        return try {
            translated { work(native) }
        } catch (error: CancellationException) {
            // It is an IllegalStateException too.
            throw error
        } catch (error: IllegalStateException) {
            // Closed between the look at the flag and the start of the call: the native object says so in its own way.
            throw if (closed.get()) closedException() else error
        }
    }

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

    /** Closes the client; doing it again does nothing. */
    override fun close() {
        if (closed.compareAndSet(false, true)) native.close()
    }
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

private fun closedException() = VitalwireException(
    ErrorInfo(
        kind = ErrorKind.CLOSED,
        code = ErrorKind.CLOSED.value,
        text = "closed: the client was closed",
        status = null,
        problem = null,
        requestId = null,
        retryAfterMs = null,
        attempts = 0u,
        mayHaveTakenEffect = false,
        isTransient = false,
        operation = null,
        argument = null,
        place = null,
    ),
)
