package dev.vitalwire

import com.sun.net.httpserver.HttpServer
import java.io.ByteArrayOutputStream
import java.io.IOException
import java.net.InetAddress
import java.net.InetSocketAddress
import java.util.concurrent.Executors
import java.util.zip.GZIPOutputStream
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.measureTime
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.TimeoutCancellationException
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.assertThrows

/** Tests timeouts and cancellation while a compressed body is inflated. */
class CompressedBodyTest {
    private val end = 300.milliseconds

    /** Time that a call may take after its timeout on a busy machine. */
    private val tolerance = 700.milliseconds

    /** Measures the time of a call whose response inflates to 8 GiB. */
    private fun time(name: String, call: suspend (VitalwireClient) -> Unit): Duration {
        val blanks = ByteArray(1 shl 20) { ' '.code.toByte() }
        val member = ByteArrayOutputStream().also { bytes -> GZIPOutputStream(bytes).use { it.write(blanks) } }
        val server = HttpServer.create(InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0)
        val threads = Executors.newCachedThreadPool()
        server.executor = threads
        server.createContext("/") { exchange ->
            exchange.responseHeaders["content-type"] = "application/json"
            exchange.responseHeaders["content-encoding"] = "gzip"
            exchange.sendResponseHeaders(200, 0)
            try {
                exchange.responseBody.use { body -> repeat(8192) { body.write(member.toByteArray()) } }
            } catch (_: IOException) {
                // Writing fails when the client disconnects.
            }
        }
        server.start()
        try {
            val client = VitalwireClient {
                baseUrl = "http://127.0.0.1:${server.address.port}"
                token = "t"
                noProxy = true
                maxResponseBytes = Long.MAX_VALUE
            }
            return measureTime { runBlocking { client.use { call(it) } } }.also { println("$name: $it") }
        } finally {
            server.stop(0)
            threads.shutdownNow()
        }
    }

    @Test
    fun `an endless compressed body times out`() {
        repeat(3) {
            val time = time("deadline") { client ->
                val error = assertThrows<VitalwireException> { runBlocking { client.user.info { timeout = end } } }
                assertEquals(ErrorKind.TIMEOUT, error.kind)
            }
            assertTrue(time < end + tolerance, "$time")
        }
    }

    @Test
    fun `an endless compressed body ends when its coroutine is cancelled`() {
        repeat(3) {
            val time = time("cancelled") { client ->
                val cancelled = assertThrows<CancellationException> { runBlocking { withTimeout(end) { client.user.info() } } }
                assertTrue(cancelled is TimeoutCancellationException, "$cancelled")
            }
            assertTrue(time < end + tolerance, "$time")
        }
    }
}
