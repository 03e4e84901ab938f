package dev.vitalwire

import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import java.io.File
import java.util.Base64

/** Tests each fault of the sandbox once. The expected results are in `tests/faults/README.md`. */
class FaultTest {
    @Test
    fun `faults are retried or reported as expected`(): Unit = runBlocking {
        val path = checkNotNull(System.getenv("VITALWIRE_FAULTS")) { "VITALWIRE_FAULTS is not set; run this by `cargo xtask test`" }
        val lines = File(path).readLines()
        assertTrue(lines.isNotEmpty())
        for (line in lines) {
            val cells = line.split('\t')
            val token = cells.first()
            val client = VitalwireClient {
                baseUrl = System.getenv("VITALWIRE_BASE_URL")
                this.token = token
                noProxy = true
            }
            val seen = client.use {
                try {
                    val response = client.withResponse {
                        if (cells[1] == "read") user.info() else nutritionRecords.upload { body = PICTURE }
                    }
                    listOf("0", "${response.attempts}", "-")
                } catch (error: VitalwireException) {
                    listOf("${error.code}", "${error.attempts}", if (cells[1] == "read") "-" else "${error.mayHaveTakenEffect}")
                }
            }
            assertEquals(cells.subList(2, 5), seen, line.substringAfter('\t'))
        }
    }

    private companion object {
        /** A PNG picture of one pixel. */
        val PICTURE: ByteArray = Base64.getDecoder().decode(
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
        )
    }
}
