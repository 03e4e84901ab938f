package dev.vitalwire

import dev.vitalwire.testing.Call
import dev.vitalwire.testing.Failure
import dev.vitalwire.testing.Samples
import dev.vitalwire.testing.Sandbox
import dev.vitalwire.testing.SandboxExtension
import dev.vitalwire.testing.mock
import dev.vitalwire.testing.on
import dev.vitalwire.testing.delayed
import dev.vitalwire.testing.failing
import dev.vitalwire.testing.of
import java.io.File
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNotEquals
import org.junit.jupiter.api.Assertions.assertNotNull
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.assertThrows
import org.junit.jupiter.api.extension.ExtendWith

/** Tests the artifact `vitalwire-testing`. */
class TestingTest {
    private fun expectFailure(work: suspend () -> Unit) = assertThrows<VitalwireException> { runBlocking { work() } }

    @Test
    fun `every call of a failing client fails with the same kind`() {
        for (failure in Failure.all) {
            VitalwireClient.mock(MockResponses.failing(failure)).use { client ->
                val calls = listOf<suspend () -> Unit>({ client.user.info() }, { client.sleeps.get("any") }, { client.labReports.list() })
                for (call in calls) assertEquals(failure.kind, expectFailure { call() }.kind, "$failure")
            }
        }
        val busy = VitalwireClient.mock(MockResponses.failing(Failure.rateLimited(120.seconds)))
        val late = expectFailure { busy.user.info { maxRetries = 0 } }
        assertEquals(120.seconds, late.retryAfter)
    }

    /** Compares the samples of `vitalwire-testing` with those of the native library. */
    @Test
    fun `the samples match the mock responses of the client`(): Unit = runBlocking {
        VitalwireClient.mock(MockResponses.samples()).use { client ->
            assertEquals(client.user.info(), Samples.userInfo)
            assertEquals(client.sleeps.get("any"), Samples.sleepRecord)
            assertEquals(client.labReports.list(), Samples.Calls.labReportsList)
            assertEquals(client.labReports.get("any"), Samples.Calls.labReportsGet)
            assertEquals(client.nutritionRecords.list(), Samples.Calls.nutritionRecordsList)
            assertEquals(client.nutritionRecords.get("any"), Samples.Calls.nutritionRecordsGet)
            assertEquals(client.care.benefits("c", "p", "n"), Samples.Calls.careBenefits)
        }
    }

    /** Uses records as the bodies of mock responses, and reads equal records. */
    @Test
    fun `every mock response of a record is that record`(): Unit = runBlocking {
        val responses = MockResponses.delayed(1.milliseconds)
        VitalwireClient.mock(responses).use { client ->
            assertEquals(Samples.sleepRecord, client.sleeps.get("any"))
            assertEquals(Samples.Calls.labReportsList, client.labReports.list())
            assertEquals(Samples.Calls.nutritionRecordsGet, client.nutritionRecords.get("any"))
            assertEquals(Samples.Calls.careBenefits, client.care.benefits("c", "p", "n"))
            assertEquals(Samples.Calls.userProperties, client.user.properties())
            client.nutritionRecords.delete("any")
        }
        assertEquals(6, responses.requests().size)
    }

    @Test
    fun `responses of one call replace its sample, and delayed ones are late`(): Unit = runBlocking {
        val night = Samples.sleepRecord.toBuilder().score(11).build()
        val responses = MockResponses.samples().on(Call.SLEEPS_GET, night)
            .on(Call.USER_INFO, MockResponse.failing(Failure.NOT_FOUND).delayed(50.milliseconds))
        VitalwireClient.mock(responses).use { client ->
            assertEquals(11, client.sleeps.get("any").score)
            val start = TimeSource.Monotonic.markNow()
            assertEquals(ErrorKind.NOT_FOUND, expectFailure { client.user.info() }.kind)
            assertTrue(start.elapsedNow() >= 50.milliseconds)
        }
        assertEquals(MockResponse.of(listOf(night)).json, "[${night.toJson()}]")
        assertEquals(Call.allKnown.size, Call.allKnown.toSet().size)
        assertNotEquals(Call.SLEEPS_GET, Call.USER_INFO)
    }

    @Test
    fun `sample records are created once`() {
        assertSame(Samples.sleepRecord, Samples.sleepRecord)
        assertSame(Samples.problemItem, Samples.problemItem)
    }

    @Test
    fun `every record has a sample that is not empty`() {
        val records = File(System.getProperty("package.dir"), "src/main/kotlin/generated/records").list().orEmpty()
        assertEquals(records.map { it.removeSuffix(".kt") }.sorted(), Samples.all.map { it.javaClass.simpleName }.sorted())
        for (record in Samples.all) assertNotEquals("{}", record.toJson(), "$record")
        assertTrue(Samples.sleepRecord.samples != null)
    }
}

/** Tests the JUnit extension, used as in an application. */
@ExtendWith(SandboxExtension::class)
class SandboxTest {
    @Test
    fun `the last night has stages`(sandbox: Sandbox): Unit = runBlocking {
        assertNotNull(sandbox.client.sleeps.get(sandbox.sleepId) { includeStages = true }.stages)
    }

    @Test
    fun `another client of the sandbox has its own settings`(sandbox: Sandbox) {
        val refused = assertThrows<VitalwireException> { runBlocking { sandbox.client { token = "another" }.use { it.user.info() } } }
        assertEquals(ErrorKind.AUTHENTICATION, refused.kind)
        assertEquals("Sandbox(..)", "$sandbox")
    }

    @Test
    fun `a missing program is reported with the remedy`() {
        assertTrue("VITALWIRE_PROGRAM" in "${assertThrows<IllegalStateException> { Sandbox.start("no-such-program") }.message}")
    }
}
