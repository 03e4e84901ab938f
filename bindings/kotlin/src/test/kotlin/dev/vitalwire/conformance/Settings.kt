package dev.vitalwire.conformance

import dev.vitalwire.AccessToken
import dev.vitalwire.ArrayStyle
import dev.vitalwire.AttemptListener
import dev.vitalwire.BaseCallOptions
import dev.vitalwire.TokenProvider
import dev.vitalwire.TokenReason
import dev.vitalwire.VitalwireClient
import dev.vitalwire.WaitOptions
import kotlinx.coroutines.delay
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.boolean
import kotlinx.serialization.json.double
import kotlinx.serialization.json.int
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonPrimitive
import kotlinx.serialization.json.long
import java.util.concurrent.atomic.AtomicInteger
import kotlin.time.Duration.Companion.milliseconds

private val CLIENT = setOf(
    "base_url", "care_base_url", "token", "care_token", "retry_delay_scale", "array_style", "local_checks", "max_response_bytes",
    "max_connections", "deadline_scale", "gzip", "user_agent", "ca", "proxy", "on_attempt", "strict_lists",
)
private val CALL = setOf(
    "total_ms", "attempt_ms", "connect_ms", "retries", "allow_resend", "token", "cancel_after_ms", "at_once", "close_after_ms", "close_ends",
    "strict_lists", "keep_raw",
)
private val WAIT = setOf("id", "arguments", "options", "timeout_ms", "interval_ms")

/** Gives texts one after the other, the last one for ever; without any it fails. */
private class Tokens(private val texts: List<String>) : TokenProvider {
    private val next = AtomicInteger()

    override suspend fun token(reason: TokenReason): AccessToken {
        val text = texts.getOrNull(next.getAndIncrement()) ?: texts.lastOrNull()
        checkNotNull(text) { "the provider fails, as the case asks for" }
        if (text.startsWith(LATE)) delay(LATENESS_MS)
        return AccessToken(text.removePrefix(LATE))
    }
}

/** What a token begins with that is given late. */
private const val LATE = "late:"
private const val LATENESS_MS = 2_000L

/** The client of a case. */
internal fun client(given: JsonObject, listener: AttemptListener?): VitalwireClient {
    known(given, CLIENT)
    return VitalwireClient {
        baseUrl = given["base_url"]?.let(Taken::text)
        careBaseUrl = given["care_base_url"]?.let(Taken::text)
        token = fixed(given["token"])
        careToken = fixed(given["care_token"])
        tokenProvider = provider(given["token"])
        careTokenProvider = provider(given["care_token"])
        // The machine's own proxy is none of the case's.
        noProxy = "proxy" !in given
        proxy = given["proxy"]?.let(Taken::text)
        caCertificate = given["ca"]?.let(Taken::text)
        arrayStyle = given["array_style"]?.let { ArrayStyle.valueOf(Taken.text(it).uppercase()) }
        userAgent = given["user_agent"]?.let(Taken::text)
        maxResponseBytes = given["max_response_bytes"]?.jsonPrimitive?.long
        maxConnections = given["max_connections"]?.jsonPrimitive?.int
        deadlineScale = given["deadline_scale"]?.jsonPrimitive?.double
        gzip = given["gzip"]?.jsonPrimitive?.boolean
        localChecks = given["local_checks"]?.jsonPrimitive?.boolean
        given["strict_lists"]?.jsonPrimitive?.boolean?.let { strictLists = it }
        retryDelayScale = given["retry_delay_scale"]?.jsonPrimitive?.double
        onAttempt = listener
    }
}

private fun fixed(token: JsonElement?): String? = (token as? JsonObject)?.get("text")?.let(Taken::text)

private fun provider(token: JsonElement?): TokenProvider? = when {
    token is JsonObject && "provider" in token -> Tokens(token.getValue("provider").jsonArray.map(Taken::text))
    token == JsonPrimitive("provider_fails") -> Tokens(emptyList())
    else -> null
}

/** The options of a call. */
internal fun options(given: JsonObject): (BaseCallOptions.Builder<*>) -> Unit {
    known(given, CALL)
    val time = { name: String -> given[name]?.jsonPrimitive?.long?.milliseconds }
    return { options ->
        options.timeout = time("total_ms")
        options.attemptTimeout = time("attempt_ms")
        options.connectTimeout = time("connect_ms")
        options.maxRetries = given["retries"]?.jsonPrimitive?.int
        options.allowResend = given["allow_resend"]?.jsonPrimitive?.boolean ?: false
        options.strictLists = given["strict_lists"]?.jsonPrimitive?.boolean
        options.keepRaw = given["keep_raw"]?.jsonPrimitive?.boolean ?: false
        options.token = given["token"]?.let(Taken::text)
    }
}

/** The options of waiting. */
internal fun waiting(given: JsonObject): WaitOptions {
    known(given, WAIT)
    val between = given["interval_ms"]?.jsonArray?.map { it.jsonPrimitive.long.milliseconds }
    return WaitOptions {
        timeout = given["timeout_ms"]?.jsonPrimitive?.long?.milliseconds
        between?.let { (first, longest) -> interval(first, longest) }
    }
}

private fun known(given: JsonObject, names: Set<String>) {
    val unknown = given.keys - names
    if (unknown.isNotEmpty()) throw Unsupported(unknown.joinToString())
}
