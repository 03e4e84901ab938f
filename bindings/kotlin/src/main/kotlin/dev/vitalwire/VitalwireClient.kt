package dev.vitalwire

import kotlin.coroutines.Continuation
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
 * Making one does nothing but keep its settings: the native library is loaded at the first call, away from the calling thread, which
 * then also tells of a wrong setting. Make one for each user whose token it has.
 *
 * Cancelling the coroutine of a call ends it and closes its connection. Close the client when it is no longer needed: calls that
 * run then end normally, later ones fail with kind `closed`.
 */
public class VitalwireClient private constructor(private val connection: Connection, private val api: VitalwireApi) :
    VitalwireApi by api, AutoCloseable {
    private constructor(connection: Connection) : this(connection, ApiCalls(Calls(connection)))

    private val scope = CoroutineScope(SupervisorJob() + Dispatchers.Default)
    private val async = AsyncVitalwireClient(api, scope)

    /** The same calls for Java: each gives a `CompletableFuture`. */
    public fun async(): AsyncVitalwireClient = async

    /**
     * Makes a call and gives, beside its value, what is known of the answer: `client.withResponse { sleeps.get(id) }`.
     *
     * @param call makes one call; of several, the facts are those of the last.
     * @throws VitalwireException of kind `invalid_argument` where it makes none.
     */
    public suspend fun <T> withResponse(call: suspend VitalwireClient.() -> T): Response<T> {
        val facts = Facts()
        // Without a scope of its own: one that is cancelled lets no WaitCancelledException out.
        val value = suspendCoroutineUninterceptedOrReturn<T> { outer ->
            call.startCoroutineUninterceptedOrReturn(this, Continuation(outer.context + facts, outer::resumeWith))
        }
        return facts.response(value)
    }

    /** Closes the client; calls that run then end normally. */
    override fun close(): Unit = close(abortCalls = false)

    /** Closes the client. With [abortCalls], calls on their way end now with kind `closed`. Doing it again does nothing more. */
    public fun close(abortCalls: Boolean): Unit = connection.close(abortCalls)

    /** Shows no URL and no token. */
    override fun toString(): String = "VitalwireClient(..)"

    /** How a client is set up. */
    @VitalwireDsl
    public class Builder internal constructor() : ClientSettings<Builder>() {
        /** Gives tokens where [token] is not set. An application never holds the service's key: it gets tokens from its own server. */
        public var tokenProvider: TokenProvider? = null

        /** The same for the policy-benefits service. */
        public var careTokenProvider: TokenProvider? = null

        /** Mock responses, for tests and previews. No service is called, and base URLs and tokens that are not set get placeholders. */
        public var mockResponses: MockResponses? = null

        /** Is told of every attempt. */
        public var onAttempt: AttemptListener? = null

        /**
         * Trusts the certificates that Android or the JVM trusts, in place of the package's own or the system's; false by default. They are
         * read at the first call. What the platform knows besides is not asked: no revocation, no rules for single hosts.
         */
        public var platformTrust: Boolean = false

        /** Gives tokens where [token] is not set. An application never holds the service's key: it gets tokens from its own server. */
        public fun tokenProvider(provider: TokenProvider): Builder = apply { tokenProvider = provider }

        /** The same for the policy-benefits service. */
        public fun careTokenProvider(provider: TokenProvider): Builder = apply { careTokenProvider = provider }

        /** [tokenProvider] for Java. */
        public fun asyncTokenProvider(provider: AsyncTokenProvider): Builder = tokenProvider { provider.token(it).await() }

        /** [careTokenProvider] for Java. */
        public fun asyncCareTokenProvider(provider: AsyncTokenProvider): Builder = careTokenProvider { provider.token(it).await() }

        /** Mock responses, for tests and previews. No service is called, and base URLs and tokens that are not set get placeholders. */
        public fun mockResponses(responses: MockResponses): Builder = apply { mockResponses = responses }

        /**
         * Is told of every attempt, by the thread that drives the call, which goes on when it returns: keep it short. What it throws is
         * dropped. [AttemptLog] has ready ones.
         */
        public fun onAttempt(listener: AttemptListener): Builder = apply { onAttempt = listener }

        /** Whether the certificates that Android or the JVM trusts are trusted, in place of the package's own or the system's. */
        public fun platformTrust(platformTrust: Boolean): Builder = apply { this.platformTrust = platformTrust }

        /** The client. */
        public fun build(): VitalwireClient = VitalwireClient(
            Connection(
                crossing(),
                tokenProvider?.let(::CrossedTokenProvider),
                careTokenProvider?.let(::CrossedTokenProvider),
                mockResponses,
                onAttempt?.let(::CrossedAttemptListener),
                platformTrust,
            ),
        )
    }

    public companion object {
        /** A builder without settings. */
        @JvmStatic
        public fun builder(): Builder = Builder()

        /** A client with these settings. */
        public operator fun invoke(settings: Builder.() -> Unit): VitalwireClient = Builder().apply(settings).build()
    }
}
