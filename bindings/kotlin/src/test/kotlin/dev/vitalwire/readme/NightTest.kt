// Kotlin code of the README, the package pages and the guide to tests. `ReadmeTest` checks that they are equal.
package dev.vitalwire.readme

// --8<-- [start:test]
import dev.vitalwire.*
import dev.vitalwire.testing.*
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Assertions.assertNotNull
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.assertThrows
import org.junit.jupiter.api.extension.ExtendWith

@ExtendWith(SandboxExtension::class)
class NightTest {
    @Test
    fun `the last night has stages`(sandbox: Sandbox): Unit = runBlocking {
        assertNotNull(sandbox.client.sleeps.get(sandbox.sleepId) { includeStages = true }.stages)
    }

    @Test
    fun `a failure is reported`(): Unit = runBlocking {
        val client = VitalwireClient.mock(MockResponses.samples().on(Call.SLEEPS_GET, MockResponse.failing(Failure.RATE_LIMITED)))
        assertThrows<VitalwireException.RateLimited> { client.sleeps.get("any") }
    }
}
// --8<-- [end:test]
