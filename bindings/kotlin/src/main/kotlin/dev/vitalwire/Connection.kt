package dev.vitalwire

import dev.vitalwire.ffi.ClientOptions
import dev.vitalwire.ffi.ErrorInfo
import dev.vitalwire.ffi.NativeClient

/** The native client, made at the first call: making it loads the native library and reads certificates. */
internal class Connection(
    private val options: ClientOptions,
    private val provider: CrossedTokenProvider?,
    private val careProvider: CrossedTokenProvider?,
    private val mockResponses: MockResponses?,
    private val listener: CrossedAttemptListener?,
    private val platformTrust: Boolean,
) {
    private var made: NativeClient? = null

    /** Whether it was closed, and ends calls on their way. */
    private var closing: Boolean? = null

    /** To be called within `translated`, and on a thread that may wait. */
    @Synchronized
    fun native(): NativeClient = made ?: client().also { native ->
        made = native
        closing?.let(native::shut)
    }

    private fun client() =
        NativeClient(options, provider, careProvider, mockResponses?.native(), listener, if (platformTrust) PlatformTrust.pem() else null)

    fun close(abortCalls: Boolean) {
        val native = synchronized(this) {
            closing = abortCalls
            made
        }
        native?.shut(abortCalls)
    }

    /** What the provider threw that the failed call asked for a token. Where the service answered, it was asked with a token. */
    fun thrown(info: ErrorInfo): Throwable? {
        if (info.kind.value.toInt() != ErrorKind.AUTHENTICATION.code || info.status != null) return null
        return (if (info.operation in CARE_OPERATIONS) careProvider else provider)?.thrown
    }
}
