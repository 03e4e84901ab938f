package dev.vitalwire

import dev.vitalwire.testing.mock
import java.io.File
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test

/** Runs the examples in the documentation of the resources. */
class ResourceExamplesTest {
    private val resources = File(System.getProperty("package.dir"), "src/main/kotlin/generated/resources").listFiles().orEmpty()

    @Test
    fun `every resource has an example`() {
        assertEquals(resources.map { it.nameWithoutExtension }.sorted(), resourceExamples.keys.sorted())
        for (file in resources) assertEquals(1, "```kotlin".toRegex().findAll(file.readText()).count(), file.name)
    }

    @Test
    fun `every example runs`(): Unit = runBlocking {
        for ((resource, example) in resourceExamples) {
            val responses = MockResponses.samples()
            VitalwireClient.mock(responses).use { example(it) }
            assertTrue(responses.requests().isNotEmpty(), resource)
        }
    }
}
