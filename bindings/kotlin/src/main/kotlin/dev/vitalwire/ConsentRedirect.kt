package dev.vitalwire

import dev.vitalwire.ffi.parseConsentRedirect
import java.util.concurrent.CompletableFuture
import dev.vitalwire.ffi.ConsentRedirect as NativeConsentRedirect

/**
 * The parameters of the URL that the browser returns to after the consent flow.
 *
 * Nothing in them is signed. Only the state ties them to the flow that you started.
 */
public class ConsentRedirect private constructor(native: NativeConsentRedirect) {
    /** The service's id of the user, unverified. */
    public val userId: String? = native.userId

    /** The provider that the user connected. */
    public val providerSlug: ProviderSlug? = native.providerSlug?.let(::ProviderSlug)

    /** The `state` parameter, compared with the expected state. */
    public val state: String? = native.state

    /** Reason of a failed integration; null after a success. Anyone can forge a URL, so escape the reason before you show it. */
    public val failure: String? = native.failure

    /** All other parameters in their original order, including repeated ones. */
    public val extra: List<Pair<String, String>> = native.extra.map { it.name to it.value }

    private val fields get() = listOf(userId, providerSlug, state, failure, extra)

    override fun equals(other: Any?): Boolean = other is ConsentRedirect && fields == other.fields

    override fun hashCode(): Int = fields.hashCode()

    /** Returns the type name, without the value. */
    override fun toString(): String = "ConsentRedirect(..)"

    public companion object {
        /**
         * Parses the URL that the browser returned to: a full URL of any scheme, a path with a query, or a query. Runs on another thread.
         *
         * @param expectedState the state that the flow started with. Pass null only if there was none: forged redirects are then accepted.
         * @throws VitalwireException of kind `signature` if the state differs, or of kind `decode` if the URL is no consent redirect.
         */
        @JvmSynthetic
        public suspend fun parse(url: String, expectedState: String?): ConsentRedirect =
            runInBackground { translateErrors { ConsentRedirect(parseConsentRedirect(url, expectedState)) } }

        /** Parses the URL for Java. */
        @JvmStatic
        @JvmName("parse")
        public fun parseForJava(url: String, expectedState: String?): CompletableFuture<ConsentRedirect> =
            startForJava { parse(url, expectedState) }
    }
}
