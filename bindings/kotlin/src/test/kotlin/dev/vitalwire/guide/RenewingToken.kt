package dev.vitalwire.guide

// --8<-- [start:program]
import dev.vitalwire.*
import java.net.HttpURLConnection
import java.net.URI
import kotlin.time.Duration.Companion.seconds
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.int
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive

/** Gets a token from your own server. */
fun fetchToken(): AccessToken {
    val connection = URI(System.getenv("TOKEN_URL")).toURL().openConnection() as HttpURLConnection
    connection.requestMethod = "POST"
    connection.connectTimeout = 10_000
    connection.readTimeout = 10_000
    connection.setRequestProperty("Authorization", "Bearer a-session-of-person-1")
    check(connection.responseCode == 200) { "the token server responded with status ${connection.responseCode}" }
    val body = Json.parseToJsonElement(connection.inputStream.use { it.readBytes().decodeToString() }).jsonObject
    return AccessToken(body.getValue("access_token").jsonPrimitive.content, body.getValue("expires_in").jsonPrimitive.int.seconds)
}

suspend fun main() {
    val client = VitalwireClient {
        baseUrl = System.getenv("VITALWIRE_BASE_URL")
        tokenProvider { reason ->
            println("token: $reason")
            fetchToken()
        }
    }
    client.use {
        repeat(2) { println("${client.user.info().integratedProviders?.size} providers") }
    }
}
// --8<-- [end:program]
