package dev.vitalwire

import dev.vitalwire.ffi.ApiException
import dev.vitalwire.ffi.ClientOptions
import dev.vitalwire.ffi.NativeClient
import dev.vitalwire.ffi.TokenProvider

/**
 * A client of the service. Calls are grouped by resource: `client.sleeps.get(id)`.
 *
 * Cancelling the coroutine of a call ends it and closes its connection. Close the client when it is no longer needed.
 *
 * @param options base URLs, tokens, deadlines, trust.
 * @param tokenProvider gives tokens where [options] holds none. An application never holds the service's key: it gets tokens
 *   from its own server.
 * @throws VitalwireException of kind `CONFIGURATION`.
 */
class VitalwireClient(options: ClientOptions, tokenProvider: TokenProvider? = null) : AutoCloseable {
    private val native: NativeClient = translated { NativeClient(options, tokenProvider) }

    internal suspend fun <T> call(work: suspend (NativeClient) -> Response<T>): Response<T> = translated { work(native) }

    override fun close() = native.close()
}

/** Turns the boundary's error into the one that applications see. */
private inline fun <T> translated(work: () -> T): T =
    try {
        work()
    } catch (error: ApiException.Failed) {
        throw VitalwireException(error.info)
    }
