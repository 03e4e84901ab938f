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
    private var client: NativeClient? = null

    /** Whether [close] aborted the calls in flight; null until it is called. */
    private var closing: Boolean? = null

    /** Returns the native client, and creates it if needed. Must be called inside `translateErrors`, on a thread that may block. */
    @Synchronized
    fun native(): NativeClient = client ?: create().also { native ->
        client = native
        closing?.let(native::shutdown)
    }

    private fun create() =
        NativeClient(options, provider, careProvider, mockResponses?.native(), listener, if (platformTrust) PlatformTrust.pem() else null)

    fun close(abortCalls: Boolean) {
        val native = synchronized(this) {
            closing = abortCalls
            client
        }
        native?.shutdown(abortCalls)
    }

    /** Returns the exception of the token provider that caused a call's error, if any. */
    fun thrown(info: ErrorInfo): Throwable? =
        info.providerRun?.let { run -> listOfNotNull(provider, careProvider).firstNotNullOfOrNull { it.thrown(run) } }
}
