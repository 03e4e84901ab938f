package dev.vitalwire.guide

// --8<-- [start:program]
import dev.vitalwire.*
import java.net.HttpURLConnection
import java.net.URI
import java.time.Duration
import java.time.Instant
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import kotlinx.serialization.json.long

/** A token of the signed-in user, with the time at which it expires. */
class UserToken(val text: String, val expiresAt: Instant) {
    fun toAccessToken(): AccessToken = AccessToken.of(text, Duration.between(Instant.now(), expiresAt))
}

/** Requests a token from your own server. The [session] is that of your own app, from its sign-in. */
fun requestToken(session: String): UserToken {
    val connection = URI(BuildConfig.TOKEN_URL).toURL().openConnection() as HttpURLConnection
    connection.requestMethod = "POST"
    connection.connectTimeout = 10_000
    connection.readTimeout = 10_000
    connection.setRequestProperty("Authorization", "Bearer $session")
    // Reading the body of another error throws an IOException.
    check(connection.responseCode != 401) { "the user must sign in again" }
    val body = Json.parseToJsonElement(connection.inputStream.use { it.readBytes().decodeToString() }).jsonObject
    val lifetime = body.getValue("expires_in").jsonPrimitive.long
    return UserToken(body.getValue("access_token").jsonPrimitive.content, Instant.now().plusSeconds(lifetime))
}

suspend fun main() {
    val client = VitalwireClient {
        baseUrl = BuildConfig.BASE_URL
        tokenProvider { reason ->
            println("token: $reason")
            requestToken("a-session-of-person-1").toAccessToken()
        }
    }
    client.use {
        repeat(2) { println("${client.user.info().integratedProviders?.size} providers") }
    }
}
// --8<-- [end:program]
