package dev.vitalwire

import io.mockk.coEvery
import io.mockk.coVerify
import io.mockk.every
import io.mockk.mockk
import io.mockk.slot
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.assertThrows

/** Tests that MockK can mock the interfaces of the package. */
class MockkTest {
    @Test
    fun `a resource can be mocked`(): Unit = runBlocking {
        val options = slot<GetSleepOptions>()
        val sleeps = mockk<Sleeps>()
        coEvery { sleeps.get(any(), capture(options)) } returns SleepRecord { score = 80 }
        assertEquals(80, sleeps.get("any").score)
        // The extension function with an options block calls the mocked function.
        assertEquals(80, sleeps.get("other") { includeStages = true }.score)
        assertEquals(true, options.captured.includeStages)
        coVerify(exactly = 1) { sleeps.get("other", any()) }
    }

    @Test
    fun `a client can be mocked with its errors`(): Unit = runBlocking {
        val api = mockk<VitalwireApi>()
        every { api.sleeps } returns mockk { coEvery { get(any(), any()) } returns SleepRecord { score = 81 } }
        coEvery { api.user.info(any()) } throws VitalwireException.of(ErrorKind.RATE_LIMITED)
        assertEquals(81, api.sleeps.get("any").score)
        assertThrows<VitalwireException.RateLimited> { api.user.info() }
    }
}
