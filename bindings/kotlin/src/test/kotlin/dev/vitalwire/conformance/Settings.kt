package dev.vitalwire.conformance

import dev.vitalwire.AccessToken
import dev.vitalwire.AttemptListener
import dev.vitalwire.BaseCallOptions
import dev.vitalwire.TokenProvider
import dev.vitalwire.RefreshReason
import dev.vitalwire.VitalwireClient
import dev.vitalwire.WaitOptions
import dev.vitalwire.conformance.generated.OPTIONS
import dev.vitalwire.conformance.generated.SETTINGS
import dev.vitalwire.conformance.generated.settings
import kotlinx.coroutines.delay
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonPrimitive
import kotlinx.serialization.json.long
import java.util.concurrent.atomic.AtomicInteger
import kotlin.time.Duration.Companion.milliseconds
import dev.vitalwire.conformance.generated.options as planned

/** Client settings that this file converts. Generated code converts all others. */
private val CLIENT = setOf("token", "care_token", "proxy", "on_attempt")
private val CALL = setOf("cancel_after_ms", "at_once", "close_after_ms", "close_ends")
private val WAIT = setOf("id", "arguments", "options", "timeout_ms", "interval_ms")

/** A token provider that returns the given tokens in order; the last one repeats. Fails if there are none. */
private class Tokens(private val texts: List<String>) : TokenProvider {
    private val next = AtomicInteger()

    override suspend fun token(reason: RefreshReason): AccessToken {
        val text = texts.getOrNull(next.getAndIncrement()) ?: texts.lastOrNull()
        checkNotNull(text) { "the provider fails, as the case asks for" }
        if (text.startsWith(LATE)) delay(LATENESS_MS)
        return AccessToken(text.removePrefix(LATE))
    }
}

/** Prefix of a token that the provider returns after a delay. */
private const val LATE = "late:"
private const val LATENESS_MS = 2_000L

internal fun client(given: JsonObject, listener: AttemptListener?): VitalwireClient {
    checkKnown(given, CLIENT + SETTINGS)
    return VitalwireClient {
        settings(given, this)
        token = fixedToken(given["token"])
        careToken = fixedToken(given["care_token"])
        tokenProvider = provider(given["token"])
        careTokenProvider = provider(given["care_token"])
        // Ignore the machine's proxy settings.
        noProxy = "proxy" !in given
        proxy = given["proxy"]?.let(Conversions::text)
        onAttempt = listener
    }
}

/** Creates a client with a path after the base URL. */
internal fun clientBelow(given: JsonObject, path: String): VitalwireClient {
    val url = Conversions.text(given.getValue("base_url")) + path
    return client(JsonObject(given + ("base_url" to JsonPrimitive(url))), null)
}

private fun fixedToken(token: JsonElement?): String? = (token as? JsonObject)?.get("text")?.let(Conversions::text)

private fun provider(token: JsonElement?): TokenProvider? = when {
    token is JsonObject && "provider" in token -> Tokens(token.getValue("provider").jsonArray.map(Conversions::text))
    token == JsonPrimitive("provider_fails") -> Tokens(emptyList())
    else -> null
}

internal fun options(given: JsonObject): (BaseCallOptions.Builder<*>) -> Unit {
    checkKnown(given, CALL + OPTIONS)
    return { planned(given, it) }
}

internal fun waitOptions(given: JsonObject): WaitOptions {
    checkKnown(given, WAIT)
    val between = given["interval_ms"]?.jsonArray?.map { it.jsonPrimitive.long.milliseconds }
    return WaitOptions {
        timeout = given["timeout_ms"]?.jsonPrimitive?.long?.milliseconds
        between?.let { (first, longest) -> interval(first, longest) }
    }
}

private fun checkKnown(given: JsonObject, names: Set<String>) {
    val unknown = given.keys - names
    if (unknown.isNotEmpty()) throw Unsupported(unknown.joinToString())
}
