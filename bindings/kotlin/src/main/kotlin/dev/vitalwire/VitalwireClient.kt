package dev.vitalwire

import dev.vitalwire.ffi.ClientOptions
import dev.vitalwire.ffi.ErrorInfo
import dev.vitalwire.ffi.ErrorKind
import dev.vitalwire.ffi.NativeClient
import dev.vitalwire.ffi.TokenProvider
import java.util.concurrent.CancellationException
import java.util.concurrent.atomic.AtomicBoolean

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
 * @throws VitalwireException of kind `CONFIGURATION`.
 */
class VitalwireClient(
    options: ClientOptions,
    tokenProvider: TokenProvider? = null,
    careTokenProvider: TokenProvider? = null,
) : AutoCloseable {
    private val native: NativeClient = translated { NativeClient(options, tokenProvider, careTokenProvider) }

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

    /** Closes the client; doing it again does nothing. */
    override fun close() {
        if (closed.compareAndSet(false, true)) native.close()
    }
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
