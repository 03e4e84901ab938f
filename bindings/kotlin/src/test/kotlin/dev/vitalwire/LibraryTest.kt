package dev.vitalwire

import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import org.junit.jupiter.api.Assumptions.assumeTrue
import com.sun.jna.Platform
import dev.vitalwire.testing.Samples
import java.io.File
import java.lang.reflect.Modifier
import java.util.concurrent.TimeUnit
import java.util.jar.JarEntry
import java.util.jar.JarFile
import java.util.jar.JarOutputStream

/** Tests the package without a usable native library. Each test starts processes in which nothing is loaded. */
class LibraryTest {
    // The full class path. Surefire may start the JVM with a jar that refers to it.
    private val own = System.getProperty("surefire.test.class.path") ?: System.getProperty("java.class.path")

    private fun run(folder: File, path: String): List<String> {
        val java = File(System.getProperty("java.home"), "bin/java").path
        val command = listOf(java, "--add-opens", "java.base/java.lang=ALL-UNNAMED", "-cp", path, "-Djna.library.path=$folder", "dev.vitalwire.WithoutLibrary")
        val builder = ProcessBuilder(command).redirectErrorStream(true)
        // These variables may contain the folder of the library.
        builder.environment().keys.removeAll { it.endsWith("LIBRARY_PATH") }
        val process = builder.start()
        val lines = process.inputStream.bufferedReader().readLines()
        assertTrue(process.waitFor(1, TimeUnit.MINUTES))
        return lines
    }

    /**
     * Runs [WithoutLibrary] in a process and returns the output of three calls, one line each. Checks that records and fakes work
     * without the library.
     */
    private fun calls(folder: File, path: String = own): List<String> {
        val lines = run(folder, path)
        assertEquals(listOf("SleepRecord(..)", "fake night", "loaded: false"), lines.take(3), "$lines")
        assertEquals(6, lines.size, "$lines")
        return lines.drop(3)
    }

    @Test
    fun `values, clients and fakes work without the library, and each call names the remedy`(@TempDir folder: File) {
        val file = File(folder, System.mapLibraryName("vitalwire_uniffi"))
        val native = File(System.getProperty("jna.library.path"), file.name)
        val cases = listOf<Pair<String, () -> Unit>>(
            "no vitalwire_uniffi for " to {},
            "is damaged or for another system" to { file.writeText("no library") },
            "is damaged or for another system" to { file.writeBytes(libraryForOtherProcessor(native)) },
            // Not even root can read a folder as a file.
            "this process may not read it" to { check(file.delete() && file.mkdir()) },
        )
        for ((remedy, prepare) in cases) {
            prepare()
            for (line in calls(folder)) {
                assertTrue(line.startsWith("Library: configuration: the native library cannot be used: "), line)
                assertTrue(remedy in line && "jna.library.path" in line && "UnsatisfiedLinkError" in line, line)
            }
        }
    }

    @Test
    fun `a class path without JNA is reported`(@TempDir folder: File) {
        for (line in calls(folder, classpathWithout(jna).joinToString(File.pathSeparator))) assertTrue("JNA (net.java.dev.jna:jna) is missing" in line, line)
    }

    /** Uses JNA without its native libraries, as with JNA's AAR on a desktop or JNA's jar on Android. */
    @Test
    fun `JNA without its own library is reported`(@TempDir folder: File) {
        val classes = JarFile(jna).use { jar ->
            val kept = jar.entries().asSequence().filter { !it.isDirectory && "jnidispatch" !in it.name }
            kept.map { it.name to jar.getInputStream(it).use { bytes -> bytes.readBytes() } }.toList()
        }
        val path = listOf(jar(File(folder, "jna.jar"), classes).path) + classpathWithout(jna)
        for (line in calls(File(folder, "empty"), path.joinToString(File.pathSeparator))) {
            assertTrue("JNA has no library of its own for " in line && "jna@aar" in line && "UnsatisfiedLinkError" in line, line)
        }
    }

    private val jna = File(Platform::class.java.protectionDomain.codeSource.location.toURI())

    private fun classpathWithout(left: File) = own.split(File.pathSeparator).filter { File(it).canonicalFile != left.canonicalFile }

    /** Simulates a library of another version by JNA's own native library, which has none of the package's functions. */
    @Test
    fun `a library of another version is reported`(@TempDir folder: File) {
        val name = "com/sun/jna/${Platform.RESOURCE_PREFIX}/${System.mapLibraryName("jnidispatch").replace(".dylib", ".jnilib")}"
        val other = checkNotNull(javaClass.classLoader.getResourceAsStream(name)) { name }.use { it.readBytes() }
        File(folder, System.mapLibraryName("vitalwire_uniffi")).writeBytes(other)
        for (line in calls(folder)) assertTrue("of another version than the classes" in line && "one version of this package" in line, line)
    }

    /** Puts two jars of different versions on the class path. The first has only classes; the second has the library for this system. */
    @Test
    fun `a library of another version's jar is reported`(@TempDir folder: File) {
        assumeTrue(System.getenv("PATH").split(File.pathSeparator).any { File(it, "cc").canExecute() }, "no C compiler")
        val classes = File(VitalwireClient::class.java.protectionDomain.codeSource.location.toURI())
        val files = classes.walk().filter { it.isFile }.map { it.relativeTo(classes).invariantSeparatorsPath to it.readBytes() }.toList()
        val newer = jar(File(folder, "vitalwire-2.jar"), files)
        val library = "${Platform.RESOURCE_PREFIX}/${System.mapLibraryName("vitalwire_uniffi")}" to libraryWithOtherVersion(folder, classes)
        val older = jar(File(folder, "vitalwire-1.jar"), files + library)
        val others = own.split(File.pathSeparator).filter { File(it) != classes }
        val path = (listOf(newer.path, older.path) + others).joinToString(File.pathSeparator)
        for (line in calls(File(folder, "empty"), path)) {
            assertTrue("of another version than the classes" in line && "one version of this package" in line, line)
        }
    }

    /** Compiles a native library with the same functions and another fingerprint. */
    private fun libraryWithOtherVersion(folder: File, classes: File): ByteArray {
        val names = checkNotNull(File(classes, "dev/vitalwire/ffi").list()).filter { "UniffiLib" in it && it.endsWith(".class") }
        val called = names.flatMap { name ->
            val of = Class.forName("dev.vitalwire.ffi.${name.removeSuffix(".class")}", false, javaClass.classLoader)
            of.declaredMethods.filter { Modifier.isNative(it.modifiers) }.map { it.name }
        }
        assertTrue(called.size > 50 && called.any { it.endsWith("abi_fingerprint") }, "$called")
        val source = File(folder, "other.c")
        source.writeText(called.distinct().joinToString("\n") { "int $it(void) { return ${if (it.endsWith("contract_version")) CONTRACT else 0}; }" })
        val library = File(folder, "other")
        val made = ProcessBuilder("cc", "-w", "-shared", "-fPIC", "-o", library.path, source.path).inheritIO().start().waitFor()
        assertEquals(0, made)
        return library.readBytes()
    }

    private fun jar(file: File, entries: List<Pair<String, ByteArray>>) = file.also {
        JarOutputStream(it.outputStream()).use { jar ->
            for ((name, bytes) in entries) {
                jar.putNextEntry(JarEntry(name))
                jar.write(bytes)
            }
        }
    }

    /** Returns a copy of the native library with the header of another processor. */
    private fun libraryForOtherProcessor(own: File): ByteArray {
        val bytes = own.readBytes()
        if (bytes.take(4) == listOf<Byte>(0x7f, 'E'.code.toByte(), 'L'.code.toByte(), 'F'.code.toByte())) bytes[18] = 0x15 else bytes[4] = 0x12
        return bytes
    }

    private companion object {
        /** Version of uniffi's contract, the same in both libraries. */
        const val CONTRACT = 30
    }
}

/** The program of the child process: uses records, a fake and a client without the native library. */
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
            mockResponses = MockResponses.samples().apply { add("get_user_info", MockResponse.json("{}")) }
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
