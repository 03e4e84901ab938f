package dev.vitalwire

import kotlin.coroutines.intrinsics.startCoroutineUninterceptedOrReturn
import kotlin.coroutines.intrinsics.suspendCoroutineUninterceptedOrReturn
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.future.await

/**
 * A client of the service. Calls are grouped by resource:
 *
 * ```kotlin
 * val client = VitalwireClient {
 *     baseUrl = "https://health.example.org"
 *     tokenProvider { AccessToken(tokenOfMyServer()) }
 * }
 * val night = client.sleeps.get(id) { includeStages = true }
 * ```
 *
 * Creating a client only stores its settings. The first call loads the native library on another thread, and reports invalid
 * settings. Create one client for each user.
 *
 * Cancelling the coroutine of a call aborts the call and closes its connection. Close the client when it is no longer needed: calls in
 * flight complete, and new calls fail with kind `closed`.
 */
public class VitalwireClient private constructor(private val connection: Connection, private val api: VitalwireApi) :
    VitalwireApi by api, AutoCloseable {
    private constructor(connection: Connection) : this(connection, ApiCalls(Calls(connection)))

    // Callbacks of futures run on these threads, and some block. `Dispatchers.Default` has fewer threads, which applications need.
    private val scope = CoroutineScope(SupervisorJob() + Dispatchers.IO)
    private val async = AsyncVitalwireClient(api, scope)

    /** Returns the calls for Java. Each returns a `CompletableFuture`. */
    public fun async(): AsyncVitalwireClient = async

    /**
     * Makes a call and returns its value with the response metadata: `client.withResponse { sleeps.get(id) }`.
     *
     * @param call makes one call. If it makes several calls, the metadata is that of the last one.
     * @throws VitalwireException of kind `invalid_argument` if [call] makes no call.
     */
    public suspend fun <T> withResponse(call: suspend VitalwireClient.() -> T): Response<T> {
        val lastResponse = LastResponse()
        // No coroutine scope: a cancelled scope would replace a WaitCancelledException.
        val value = suspendCoroutineUninterceptedOrReturn<T> { outer ->
            call.startCoroutineUninterceptedOrReturn(this, ResponseContinuation(outer, lastResponse))
        }
        return lastResponse.response(value)
    }

    /** Closes the client. Calls in flight complete; new calls fail with kind `closed`. */
    override fun close(): Unit = close(abortCalls = false)

    /** Closes the client. With [abortCalls], calls in flight fail with kind `closed`. Closing a closed client is allowed. */
    public fun close(abortCalls: Boolean): Unit = connection.close(abortCalls)

    /** Returns a description without the URL and the token. */
    override fun toString(): String = "VitalwireClient(..)"

    /** A builder of clients. */
    @VitalwireDsl
    public class Builder internal constructor() : ClientSettings<Builder>() {
        /** Callback that returns tokens, if [token] is not set. Get tokens from your own server. */
        public var tokenProvider: TokenProvider? = null

        /** Callback that returns tokens of the policy-benefits service. */
        public var careTokenProvider: TokenProvider? = null

        /** Mock responses, for tests and previews. No request is sent. Base URLs and tokens that are not set get placeholders. */
        public var mockResponses: MockResponses? = null

        /** Called after every attempt. [AttemptLog] has ready-made callbacks. */
        public var onAttempt: AttemptListener? = null

        /**
         * Whether to trust the root certificates of Android or the JVM, in place of the package's own or the system's. Defaults to false.
         *
         * The certificates are read at the first call. Other rules of the platform do not apply: no revocation checks, no per-host rules.
         */
        public var platformTrust: Boolean = false

        /** Sets the callback that returns tokens, if [token] is not set. Get tokens from your own server. */
        public fun tokenProvider(provider: TokenProvider): Builder = apply { tokenProvider = provider }

        /** Sets the callback that returns tokens of the policy-benefits service. */
        public fun careTokenProvider(provider: TokenProvider): Builder = apply { careTokenProvider = provider }

        /** Sets the callback that returns tokens, for Java. */
        public fun asyncTokenProvider(provider: AsyncTokenProvider): Builder = tokenProvider { provider.token(it).await() }

        /** Sets the callback that returns tokens of the policy-benefits service, for Java. */
        public fun asyncCareTokenProvider(provider: AsyncTokenProvider): Builder = careTokenProvider { provider.token(it).await() }

        /** Sets mock responses, for tests and previews. No request is sent. Base URLs and tokens that are not set get placeholders. */
        public fun mockResponses(responses: MockResponses): Builder = apply { mockResponses = responses }

        /**
         * Sets a callback to call after every attempt, on the thread that runs the call. The callback must be thread-safe and return
         * quickly. Exceptions in the callback are dropped. [AttemptLog] has ready-made callbacks.
         */
        public fun onAttempt(listener: AttemptListener): Builder = apply { onAttempt = listener }

        /** Sets whether to trust the root certificates of Android or the JVM. Defaults to false. */
        public fun platformTrust(platformTrust: Boolean): Builder = apply { this.platformTrust = platformTrust }

        /** Creates the client. */
        public fun build(): VitalwireClient = VitalwireClient(
            Connection(
                toNative(),
                tokenProvider?.let(::TokenProviderAdapter),
                careTokenProvider?.let(::TokenProviderAdapter),
                mockResponses,
                onAttempt?.let(::AttemptListenerAdapter),
                platformTrust,
            ),
        )
    }

    public companion object {
        /** Creates a builder. */
        @JvmStatic
        public fun builder(): Builder = Builder()

        /** Creates a client from a builder block. */
        public operator fun invoke(settings: Builder.() -> Unit): VitalwireClient = Builder().apply(settings).build()
    }
}
