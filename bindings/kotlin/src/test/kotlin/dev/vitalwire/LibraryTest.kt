package dev.vitalwire

import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import dev.vitalwire.testing.Samples
import java.io.File
import java.util.concurrent.TimeUnit

/** What can be done without the native library, and what calls say: in a process of its own, which has none. */
class LibraryTest {
    private fun run(folder: File): List<String> {
        val java = File(System.getProperty("java.home"), "bin/java").path
        // Surefire may give its own class path in a file; the property has all of it.
        val path = System.getProperty("surefire.test.class.path") ?: System.getProperty("java.class.path")
        val command = listOf(java, "--add-opens", "java.base/java.lang=ALL-UNNAMED", "-cp", path, "-Djna.library.path=$folder", "dev.vitalwire.WithoutLibrary")
        val builder = ProcessBuilder(command).redirectErrorStream(true)
        // It may name the folder that has the library.
        builder.environment().keys.removeAll { it.endsWith("LIBRARY_PATH") }
        val process = builder.start()
        val lines = process.inputStream.bufferedReader().readLines()
        assertTrue(process.waitFor(1, TimeUnit.MINUTES))
        return lines
    }

    @Test
    fun `values, clients and fakes need no library, and each call names the remedy`(@TempDir folder: File) {
        val file = File(folder, System.mapLibraryName("vitalwire_uniffi"))
        for (content in listOf(null, "no library")) {
            content?.let(file::writeText)
            val lines = run(folder)
            assertEquals(listOf("SleepRecord(..)", "fake night", "loaded: false"), lines.take(3), "$lines")
            assertEquals(6, lines.size, "$lines")
            for (line in lines.drop(3)) {
                assertTrue(line.startsWith("Library: configuration: the native library cannot be used: no vitalwire_uniffi for "), line)
                assertTrue("jna.library.path" in line && "UnsatisfiedLinkError" in line, line)
            }
        }
    }
}

/** The process. */
internal object WithoutLibrary {
    @JvmStatic
    fun main(arguments: Array<String>): Unit = runBlocking {
        val night = SleepRecord { id = "night" }
        check(night == night.toBuilder().build() && night.hashCode() == night.toBuilder().build().hashCode())
        check(Samples.all.all { it == it && it.hashCode() == it.hashCode() && "$it".endsWith("(..)") && it.toJson().startsWith("{") })
        println("$night")
        val fake = object : Sleeps {
            override suspend fun get(id: String, options: GetSleepOptions) = SleepRecord { this.id = "fake $id" }
        }
        println(fake.get("night").id)
        val client = VitalwireClient {
            answers = Answers.samples().apply { add("get_user_info", Answer.json("{}")) }
            tokenProvider { AccessToken("t") }
        }
        val loaded = ClassLoader::class.java.getDeclaredMethod("findLoadedClass", String::class.java).apply { isAccessible = true }
        println("loaded: ${loaded.invoke(WithoutLibrary::class.java.classLoader, "dev.vitalwire.ffi.UniffiLib") != null}")
        val works = listOf<suspend () -> Unit>(
            { client.user.info() },
            { client.nutritionRecords.uploadAndWait { } },
            { Picture.withoutMetadata(ByteArray(0)) },
        )
        for (work in works) {
            try {
                work()
            } catch (error: VitalwireException.Library) {
                println("${error.javaClass.simpleName}: ${error.message} ${error.cause?.javaClass?.simpleName}")
            }
        }
    }
}
