package dev.vitalwire

import dev.vitalwire.ffi.ClientOptions
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import java.io.File

/** Each fault of the sandbox once; `tests/faults/README.md` of the repository says what must come of it. */
class FaultTest {
    @Test
    fun `what a read survives and what it reports`(): Unit = runBlocking {
        val path = checkNotNull(System.getenv("VITALWIRE_FAULTS")) { "VITALWIRE_FAULTS is not set; run this by `cargo xtask test`" }
        val lines = File(path).readLines()
        assertTrue(lines.isNotEmpty())
        for (line in lines) {
            val (token, error, requests, fault) = line.split('\t')
            val options = ClientOptions(baseUrl = System.getenv("VITALWIRE_BASE_URL"), token = token, noProxy = true)
            val seen = VitalwireClient(options).use { client ->
                try {
                    0 to client.user.info().meta.attempts
                } catch (error: VitalwireException) {
                    error.code to error.info.attempts
                }
            }
            assertEquals(error.toInt() to requests.toUInt(), seen, fault)
        }
    }
}
