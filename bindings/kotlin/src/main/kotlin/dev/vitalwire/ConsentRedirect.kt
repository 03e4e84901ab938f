package dev.vitalwire

import dev.vitalwire.ffi.parseConsentRedirect
import dev.vitalwire.ffi.ConsentRedirect as Crossed

/** What came back from the consent flow. Nothing in it is signed: the state alone ties it to the flow that was begun. */
public class ConsentRedirect private constructor(native: Crossed) {
    /** The service's id of the user, as it came. */
    public val userId: String? = native.userId

    /** The provider. */
    public val provider: ProviderSlug? = native.providerSlug?.let(::ProviderSlug)

    /** The state that came back. */
    public val state: String? = native.state

    /** Why the integration failed; null where the provider is integrated. Anybody can write a URL: escape it before showing it. */
    public val failure: String? = native.failure

    /** All other parameters, in their order, repeated ones too. */
    public val extra: List<Pair<String, String>> = native.extra.map { it.name to it.value }

    private val members get() = listOf(userId, provider, state, failure, extra)

    override fun equals(other: Any?): Boolean = other is ConsentRedirect && members == other.members

    override fun hashCode(): Int = members.hashCode()

    /** Shows no value. */
    override fun toString(): String = "ConsentRedirect(..)"

    public companion object {
        /**
         * Reads what the browser brought back from the consent flow: a whole URL of any scheme, a path with its query, or a query.
         *
         * @param expectedState the state that the flow began with. Give null only where it began without one: then nothing tells a genuine
         *   return from one that somebody made up.
         * @throws VitalwireException of kind `signature` where the state is another, `decode` where it is no return.
         */
        @JvmStatic
        public fun parse(url: String, expectedState: String?): ConsentRedirect = translated { ConsentRedirect(parseConsentRedirect(url, expectedState)) }
    }
}
