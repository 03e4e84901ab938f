package dev.vitalwire

import dev.vitalwire.ffi.ProviderContext
import java.util.concurrent.CompletionStage
import kotlin.coroutines.CoroutineContext
import kotlin.time.Duration
import kotlin.time.toKotlinDuration
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.ThreadContextElement
import kotlinx.coroutines.withContext
import dev.vitalwire.ffi.AccessToken as CrossedAccessToken
import dev.vitalwire.ffi.TokenProvider as ForeignTokenProvider

/**
 * Gives a token that is good now. An application never holds the service's key: it gets tokens from its own server.
 *
 * Called when a token is needed, never twice at once for one client. What it throws is the `cause` of the exception of the call that
 * needed the token, whose kind is `authentication`.
 */
public fun interface TokenProvider {
    /** A token. */
    public suspend fun token(reason: TokenReason): AccessToken
}

/** A [TokenProvider] for Java. */
public fun interface AsyncTokenProvider {
    /** A token. */
    public fun token(reason: TokenReason): CompletionStage<AccessToken>
}

/** Why a token is asked for. */
public class TokenReason private constructor(
    /** Whether the service has just refused the last one. */
    public val isRejected: Boolean,
) {
    /** Shows which one it is. */
    override fun toString(): String = if (isRejected) "rejected" else "needed"

    public companion object {
        /** There is none yet, or the last one has expired. */
        @JvmField
        public val NEEDED: TokenReason = TokenReason(false)

        /** The service has just refused the last one. */
        @JvmField
        public val REJECTED: TokenReason = TokenReason(true)
    }
}

/** A token and how long it is good. */
public class AccessToken private constructor(internal val secret: String, internal val lifetime: Duration?) {
    override fun equals(other: Any?): Boolean = other is AccessToken && secret == other.secret && lifetime == other.lifetime

    override fun hashCode(): Int = secret.hashCode()

    /** Shows no token. */
    override fun toString(): String = "AccessToken(..)"

    public companion object {
        /** A token; without a lifetime it is used until the service refuses it. */
        public operator fun invoke(secret: String, lifetime: Duration? = null): AccessToken = AccessToken(secret, lifetime)

        /** The same for Java. */
        @JvmStatic
        @JvmOverloads
        public fun of(secret: String, lifetime: java.time.Duration? = null): AccessToken = AccessToken(secret, lifetime?.toKotlinDuration())
    }
}

/** A provider as the native side asks it. It keeps what the provider threw, which does not cross. */
internal class CrossedTokenProvider(private val provider: TokenProvider) : ForeignTokenProvider {
    /** What was thrown last, unless a token was given since. */
    @Volatile
    var thrown: Throwable? = null
        private set

    // Providers that block would take every thread that coroutines share, those that begin other clients' providers too.
    override suspend fun token(refused: Boolean, context: ProviderContext): CrossedAccessToken =
        withContext(Dispatchers.IO + ProviderElement(context)) { token(refused) }

    private suspend fun token(refused: Boolean): CrossedAccessToken =
        try {
            val token = provider.token(if (refused) TokenReason.REJECTED else TokenReason.NEEDED)
            thrown = null
            CrossedAccessToken(token.secret, token.lifetime?.crossing())
        } catch (error: Throwable) {
            // Kept here: what leaves another context may be a copy.
            thrown = error
            // An error would end the thread and leave the call waiting.
            throw IllegalStateException("the token provider failed")
        }
}

/** Tells the native side which threads run a token provider's coroutines: calls that it makes to its own client fail at once. */
private class ProviderElement(private val provider: ProviderContext) : ThreadContextElement<ProviderContext> {
    override val key: CoroutineContext.Key<*> get() = Key

    override fun updateThreadContext(context: CoroutineContext): ProviderContext = provider.enter()

    override fun restoreThreadContext(context: CoroutineContext, oldState: ProviderContext): Unit = oldState.use { it.enter().close() }

    private companion object Key : CoroutineContext.Key<ProviderElement>
}
