package dev.vitalwire

import dev.vitalwire.ffi.ProviderContext
import java.util.concurrent.CompletionStage
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.EmptyCoroutineContext
import kotlin.time.Duration
import kotlin.time.toKotlinDuration
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.ThreadContextElement
import kotlinx.coroutines.withContext
import dev.vitalwire.ffi.AccessToken as NativeAccessToken
import dev.vitalwire.ffi.RefreshReason as NativeRefreshReason
import dev.vitalwire.ffi.TokenProvider as ForeignTokenProvider

/**
 * Callback that returns a valid token. Get tokens from your own server: an application must never contain the service's key.
 *
 * Called when a client needs a token, once for all calls that wait for it. If the provider throws, the calls fail with kind
 * `authentication`, and the exception is the `cause`.
 *
 * If the call that runs the provider is cancelled or times out, the provider's coroutine is cancelled, and the next call runs the provider
 * again. A provider that blocks can then run twice at once. Give calls a timeout that is longer than a request for a token takes.
 */
public fun interface TokenProvider {
    /** Returns a token. */
    public suspend fun token(reason: RefreshReason): AccessToken
}

/**
 * A [TokenProvider] for Java.
 *
 * A call to the provider's own client fails at once, because it would wait for the provider's token. If the provider makes the call on a
 * thread of its own, the call fails only after its timeout.
 */
public fun interface AsyncTokenProvider {
    /** Returns a token. */
    public fun token(reason: RefreshReason): CompletionStage<AccessToken>
}

/** The reason why a client needs a token. */
public class RefreshReason private constructor(private val name: String) {
    /** Whether the service rejected the last token. */
    public val isRejected: Boolean get() = this === REJECTED

    /** Returns the name of the reason. */
    override fun toString(): String = name

    public companion object {
        /** There is no token yet. */
        @JvmField
        public val MISSING: RefreshReason = RefreshReason("missing")

        /** The last token expires soon or has expired. */
        @JvmField
        public val EXPIRING: RefreshReason = RefreshReason("expiring")

        /** The service rejected the last token. */
        @JvmField
        public val REJECTED: RefreshReason = RefreshReason("rejected")

        internal fun of(native: NativeRefreshReason): RefreshReason = when (native) {
            NativeRefreshReason.MISSING -> MISSING
            NativeRefreshReason.EXPIRING -> EXPIRING
            NativeRefreshReason.REJECTED -> REJECTED
        }
    }
}

/** A token and its lifetime. */
public class AccessToken private constructor(internal val secret: String, internal val lifetime: Duration?) {
    init {
        // Native code gets the token after the provider's coroutine, where an exception would have no receiver.
        requireUnicode(secret)
    }

    override fun equals(other: Any?): Boolean = other is AccessToken && secret == other.secret && lifetime == other.lifetime

    override fun hashCode(): Int = secret.hashCode()

    /** Returns the type name, without the token. */
    override fun toString(): String = "AccessToken(..)"

    public companion object {
        /**
         * Creates a token. Without a lifetime, the token is used until the service rejects it.
         *
         * @throws VitalwireException.InvalidArgument if the text contains an unpaired surrogate.
         */
        public operator fun invoke(secret: String, lifetime: Duration? = null): AccessToken = AccessToken(secret, lifetime)

        /**
         * Creates a token, for Java. Without a lifetime, the token is used until the service rejects it.
         *
         * @throws VitalwireException.InvalidArgument if the text contains an unpaired surrogate.
         */
        @JvmStatic
        @JvmOverloads
        public fun of(secret: String, lifetime: java.time.Duration? = null): AccessToken = AccessToken(secret, lifetime?.toKotlinDuration())
    }
}

/** Calls a token provider for the native library. Keeps the provider's exceptions, which native code cannot carry. */
internal class TokenProviderAdapter(private val provider: TokenProvider) : ForeignTokenProvider {
    /** The latest exceptions by the number of the provider's run, which the errors of the calls have. */
    private val thrown = object : LinkedHashMap<ULong, Throwable>() {
        override fun removeEldestEntry(eldest: MutableMap.MutableEntry<ULong, Throwable>?) = size > MAX_THROWN
    }

    /** Returns the exception of a run; null if another provider threw it. */
    fun thrown(run: ULong): Throwable? = synchronized(thrown) { thrown[run] }

    // On the default dispatcher, blocking providers could occupy all threads and starve other clients.
    override suspend fun token(reason: NativeRefreshReason, context: ProviderContext): NativeAccessToken =
        withContext(Dispatchers.IO + ProviderElement(context)) { token(RefreshReason.of(reason), context.runNumber()) }

    private suspend fun token(reason: RefreshReason, run: ULong): NativeAccessToken =
        try {
            val token = provider.token(reason)
            NativeAccessToken(token.secret, token.lifetime?.toNative())
        } catch (error: Throwable) {
            // Keep the original: coroutines may copy an exception that crosses contexts.
            synchronized(thrown) { thrown[run] = error }
            // An Error would end the thread, and the call would never complete.
            throw IllegalStateException("the token provider failed")
        }

    private companion object {
        /** Maximum number of exceptions to keep. */
        const val MAX_THROWN = 16
    }
}

/**
 * Marks the threads that run a token provider, so that its calls to its own client fail instead of deadlocking. Coroutines of the provider
 * inherit the element. Java has no coroutines, so calls for Java take the element from their thread.
 */
internal class ProviderElement(private val provider: ProviderContext) : ThreadContextElement<ProviderElement.Previous> {
    override val key: CoroutineContext.Key<*> get() = Key

    override fun updateThreadContext(context: CoroutineContext): Previous {
        val previous = Previous(current.get(), provider.enter())
        current.set(this)
        return previous
    }

    override fun restoreThreadContext(context: CoroutineContext, oldState: Previous) {
        oldState.provider.use { it.enter().close() }
        if (oldState.element == null) current.remove() else current.set(oldState.element)
    }

    /** State of the thread before it ran the provider. */
    internal class Previous(val element: ProviderElement?, val provider: ProviderContext)

    internal companion object Key : CoroutineContext.Key<ProviderElement> {
        /** The element of the innermost provider that runs on a thread. */
        private val current = ThreadLocal<ProviderElement>()

        /** Returns the element of this thread, or an empty context outside of all providers. */
        fun ofThread(): CoroutineContext = current.get() ?: EmptyCoroutineContext
    }
}
