package dev.vitalwire.bench

import dev.vitalwire.VitalwireClient
import kotlinx.coroutines.runBlocking

/** Creates a client and makes one call, to measure a cold start. The arguments are a base URL and a token. */
fun main(arguments: Array<String>): Unit = runBlocking {
    VitalwireClient {
        baseUrl = arguments[0]
        token = arguments[1]
    }.use { it.user.info() }
}
