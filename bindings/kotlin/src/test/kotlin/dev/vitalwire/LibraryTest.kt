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
import java.net.InetAddress
import java.net.ServerSocket
import java.net.URLClassLoader
import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit
import java.util.jar.JarEntry
import java.util.jar.JarFile
import java.util.jar.JarOutputStream
import kotlin.concurrent.thread

/** Tests the package without a usable native library. Each test starts processes in which nothing is loaded. */
class LibraryTest {
    // The full class path. Surefire may start the JVM with a jar that refers to it.
    private val own = System.getProperty("surefire.test.class.path") ?: System.getProperty("java.class.path")

    private fun run(folder: File, path: String, vararg options: String, program: String = "WithoutLibrary"): List<String> {
        val java = File(System.getProperty("java.home"), "bin/java").path
        val opened = listOf("--add-opens", "java.base/java.lang=ALL-UNNAMED")
        val command = listOf(java) + opened + options + listOf("-cp", path, "-Djna.library.path=$folder", "dev.vitalwire.$program")
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
    private fun calls(folder: File, path: String = own, vararg options: String): List<String> {
        val lines = run(folder, path, *options)
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
                assertTrue(line.startsWith("Library: library: the native library cannot be used: "), line)
                assertTrue(remedy in line && "jna.library.path" in line && "UnsatisfiedLinkError" in line, line)
            }
        }
    }

    @Test
    fun `a class path without JNA is reported`(@TempDir folder: File) {
        for (line in calls(folder, classpathWithout(jna).joinToString(File.pathSeparator))) {
            assertTrue("JNA (net.java.dev.jna:jna) is missing" in line, line)
        }
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

    @Test
    fun `a temporary folder that JNA cannot use is reported`(@TempDir folder: File) {
        val file = File(folder, "file").apply { writeText("no folder") }
        val mounts = File("/proc/mounts").takeIf { it.exists() }?.readLines().orEmpty().map { it.split(' ') }
        val unexecutable = mounts.filter { "noexec" in it[3].split(',') && it[2] == "tmpfs" }
            .map { File(it[1], "vitalwire-test-${ProcessHandle.current().pid()}") }
        val unusable = listOf(file) + unexecutable.filter { it.mkdir() }.take(1)
        try {
            for (at in unusable) {
                // Without JNA's cache and libraries of the system, as in an image with a read-only root.
                for (line in calls(File(System.getProperty("jna.library.path")), own, "-Djna.tmpdir=$at", "-Djna.nosys=true")) {
                    assertTrue("temporary folder $at, which must exist, be writable" in line && "jna.tmpdir" in line, line)
                }
            }
        } finally {
            unusable.forEach { it.deleteRecursively() }
        }
    }

    @Test
    fun `a second class loader with the same library is rejected`() {
        val lines = run(File(System.getProperty("jna.library.path")), own, program = "TwoLoaders")
        assertEquals(listOf("first: TOKEN-A", "first again: TOKEN-C"), listOf(lines[0], lines[2]), "$lines")
        assertTrue(lines[1].startsWith("second: Library: ") && "another class loader of this JVM uses the same file" in lines[1], lines[1])
    }

    @Test
    fun `class loaders with copies of the library keep their token providers apart`(@TempDir folder: File) {
        val name = System.mapLibraryName("vitalwire_uniffi")
        val library = "${Platform.RESOURCE_PREFIX}/$name" to File(System.getProperty("jna.library.path"), name).readBytes()
        val path = listOf(jar(File(folder, "native.jar"), listOf(library)).path, own).joinToString(File.pathSeparator)
        val lines = run(File(folder, "empty"), path, program = "TwoLoaders")
        assertEquals(listOf("first: TOKEN-A", "second: TOKEN-B", "first again: TOKEN-C"), lines)
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
        val version = { name: String -> if (name.endsWith("contract_version")) CONTRACT else 0 }
        source.writeText(called.distinct().joinToString("\n") { "int $it(void) { return ${version(it)}; }" })
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
        val isElf = bytes.take(4) == listOf<Byte>(0x7f, 'E'.code.toByte(), 'L'.code.toByte(), 'F'.code.toByte())
        if (isElf) bytes[18] = 0x15 else bytes[4] = 0x12
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
                check(error.kind == ErrorKind.LIBRARY && error.code == 1902 && !error.isTransient)
                println("${error.javaClass.simpleName}: ${error.message} ${error.cause?.javaClass?.simpleName}")
            }
        }
    }
}

/** The program of another child process: two class loaders with their own classes of the package. */
internal object TwoLoaders {
    private val urls = System.getProperty("java.class.path").split(File.pathSeparator).map { File(it).toURI().toURL() }.toTypedArray()

    private fun loader() = URLClassLoader(urls, ClassLoader.getPlatformClassLoader())

    private fun sentToken(loader: ClassLoader, token: String) =
        loader.loadClass("dev.vitalwire.LoadedApplication").getMethod("sentToken", String::class.java).invoke(null, token)

    @JvmStatic
    fun main(arguments: Array<String>) {
        val (first, second) = loader() to loader()
        println("first: ${sentToken(first, "TOKEN-A")}")
        println("second: ${sentToken(second, "TOKEN-B")}")
        println("first again: ${sentToken(first, "TOKEN-C")}")
        Runtime.getRuntime().halt(0)
    }
}

/** An application in a class loader of its own. */
internal object LoadedApplication {
    /** Returns the token that a request has, or the failure. */
    @JvmStatic
    fun sentToken(token: String): String {
        val server = ServerSocket(0, 1, InetAddress.getLoopbackAddress())
        val sent = CompletableFuture<String>()
        thread(isDaemon = true) {
            // Without a request, closing the socket ends the thread.
            runCatching { server.accept() }.getOrNull()?.use { connection ->
                val lines = connection.getInputStream().bufferedReader()
                val header = generateSequence { lines.readLine() }.first { it.startsWith("authorization: Bearer ", ignoreCase = true) }
                sent.complete(header.substringAfter("Bearer "))
                connection.getOutputStream().write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}".toByteArray())
            }
        }
        return try {
            VitalwireClient {
                baseUrl = "http://127.0.0.1:${server.localPort}"
                tokenProvider { AccessToken(token) }
            }.use { client -> runBlocking { client.user.info() } }
            sent.get(10, TimeUnit.SECONDS)
        } catch (error: VitalwireException) {
            "${error.javaClass.simpleName}: ${error.message}"
        } finally {
            server.close()
        }
    }
}
