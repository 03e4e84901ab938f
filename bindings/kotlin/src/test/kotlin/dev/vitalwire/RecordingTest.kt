package dev.vitalwire

import dev.vitalwire.testing.Sandbox
import dev.vitalwire.testing.SandboxExtension
import java.io.File
import java.util.concurrent.TimeUnit
import kotlinx.coroutines.runBlocking
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.assertThrows
import org.junit.jupiter.api.extension.ExtendWith
import org.junit.jupiter.api.io.TempDir

/** Tests that a client replays the exchanges that `vitalwire record` wrote to a folder. */
@ExtendWith(SandboxExtension::class)
class RecordingTest {
    /** Ids of records to read: the ids of the service, or the replaced ids of a recording. */
    private class Ids(val night: String, val nobody: String, val policy: List<String>)

    /** Reads records of every kind and returns them without their ids. */
    private suspend fun session(client: VitalwireClient, ids: Ids): List<Any?> {
        val info = client.user.info()
        val night = client.sleeps.get(ids.night) {
            includeStages = true
            includeSamples = true
        }
        val last = checkNotNull(night.sleepDate)
        val days = client.statistics.daily(last.minusDays(5), last.minusDays(1), listOf(StatisticName.STEPS))
        val absent = assertThrows<VitalwireException.NotFound> { client.sleeps.get(ids.nobody) }
        val (clinic, patient, policy) = ids.policy
        return listOf(
            info.createdAt, info.integratedProviders?.size, night.startAt, night.duration, night.stages, night.metrics, night.samples,
            days.statistics.map { it.date to checkNotNull(it.values?.steps) }, client.nutritionRecords.list().map { it.dishName },
            absent.status, client.care.benefits(clinic, patient, policy).status,
        )
    }

    @Test
    fun `a recording replays the same responses with its own ids`(sandbox: Sandbox, @TempDir folder: File): Unit = runBlocking {
        val own = Ids(sandbox.sleepId, NOBODY, listOf("clinic-77", "patient-88", "policy-1"))
        val recording = File(folder, "session")
        val seen = recordSession(sandbox, recording, File(folder, "said")) { session(it, own) }
        val files = recording.listFiles().orEmpty().sortedBy { it.name }
        assertEquals(6, files.size)
        for (secret in own.policy + sandbox.sleepId + sandbox.token + NOBODY) assertTrue(files.none { secret in it.readText() })

        fun path(name: String, at: Int) = files.filter { name in it.name }[at].let { file ->
            val request = Json.parseToJsonElement(file.readText()).jsonObject.getValue("request").jsonObject
            request.getValue("path").jsonPrimitive.content.split("/")
        }
        val care = path("get_policy_benefits", 0)
        val theirs = Ids(path("get_sleep", 0)[4], path("get_sleep", 1)[4], listOf(care[4], care[6], care[8]))
        VitalwireClient { mockResponses = MockResponses.fromFolder(recording) }.use { client ->
            assertEquals(seen, session(client, theirs))
            // The recording does not contain this call.
            val unknown = assertThrows<VitalwireException> { client.sleeps.get(own.night) }
            assertEquals(ErrorKind.CONFIGURATION, unknown.kind)
        }
    }

    /** Runs a session through `vitalwire record` and returns the results. */
    private suspend fun recordSession(
        sandbox: Sandbox,
        folder: File,
        said: File,
        session: suspend (VitalwireClient) -> List<Any?>,
    ): List<Any?> {
        val program = System.getenv("VITALWIRE_PROGRAM") ?: "vitalwire"
        val to = listOf("--to", folder.path, "--base-url", sandbox.baseUrl, "--care-base-url", sandbox.careBaseUrl)
        val process = ProcessBuilder(listOf(program, "record") + to).redirectError(said).start()
        try {
            val line = checkNotNull(process.inputStream.bufferedReader().readLine()) { said.readText() }
            val url = line.removePrefix("export VITALWIRE_BASE_URL=")
            val through = sandbox.client {
                baseUrl = url
                careBaseUrl = url
            }
            val seen = through.use { session(it) }
            process.destroy()
            assertTrue(process.waitFor(20, TimeUnit.SECONDS))
            assertTrue("6 exchanges were recorded" in said.readText(), said.readText())
            return seen
        } finally {
            process.destroyForcibly()
        }
    }

    private companion object {
        /** An id that no record has. */
        const val NOBODY = "00000000-0000-0000-0000-00000000beef"
    }
}
