package dev.vitalwire

import dev.vitalwire.ffi.ClientOptions
import dev.vitalwire.ffi.ErrorInfo
import dev.vitalwire.ffi.NativeClient

/** Holder of the native client. Creates the client at the first call, because this loads the native library and reads certificates. */
internal class Connection(
    private val options: ClientOptions,
    private val provider: TokenProviderAdapter?,
    private val careProvider: TokenProviderAdapter?,
    private val mockResponses: MockResponses?,
    private val listener: AttemptListenerAdapter?,
    private val platformTrust: Boolean,
) {
    /** Lock for the creation of the client, which takes time. [close] does not acquire the lock, because its caller may be a UI thread. */
    private val creation = Any()

    @Volatile
    private var client: NativeClient? = null

    /** Whether [close] aborted the calls in flight; null until it is called. */
    @Volatile
    private var closing: Boolean? = null

    /**
     * Returns the native client, and creates it if needed. A client that is created after [close] is closed at once. Must be called inside
     * `translateErrors`, on a thread that may block.
     */
    fun native(): NativeClient =
        // After `close`, the lock ensures that the client is closed before it is returned.
        client?.takeIf { closing == null } ?: synchronized(creation) {
            client ?: create().also { native ->
                client = native
                // `close` writes `closing` before it reads `client`, so that either `close` or this thread closes the client.
                closing?.let(native::shutdown)
            }
        }

    private fun create() =
        NativeClient(options, provider, careProvider, mockResponses?.native(), listener, if (platformTrust) PlatformTrust.pem() else null)

    /** Closes the client. Never waits for its creation. */
    fun close(abortCalls: Boolean) {
        closing = abortCalls
        client?.shutdown(abortCalls)
    }

    /** Returns the exception of the token provider that caused a call's error, if any. */
    fun thrown(info: ErrorInfo): Throwable? =
        info.providerRun?.let { run -> listOfNotNull(provider, careProvider).firstNotNullOfOrNull { it.thrown(run) } }
}
