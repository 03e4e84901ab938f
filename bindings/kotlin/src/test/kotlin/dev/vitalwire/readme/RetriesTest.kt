// A test in the guide to tests.
package dev.vitalwire.readme

// --8<-- [start:test]
import dev.vitalwire.*
import dev.vitalwire.testing.Sandbox
import dev.vitalwire.testing.SandboxExtension
import java.time.LocalDate
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.extension.ExtendWith

@ExtendWith(SandboxExtension::class)
class RetriesTest {
    @Test
    fun `an overloaded service is called again`(sandbox: Sandbox): Unit = runBlocking {
        val day = LocalDate.of(2025, 11, 14)
        val response = sandbox.client.withResponse {
            // The first two attempts of this call fail.
            statistics.daily(day, day, listOf(StatisticName.STEPS)) { header("x-sandbox-fault", "status; status=503; times=2") }
        }
        assertEquals(3, response.attempts)
        assertEquals(day, response.value.statistics.single().date)
    }
}
// --8<-- [end:test]
