package dev.vitalwire

import java.io.File
import java.util.concurrent.TimeUnit
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir

/**
 * Compiles an application against this release and runs it with a simulated next release. In the next release, a record has an
 * additional field, and an operation has gained its first optional parameter. `cargo xtask test` generates the changed classes.
 * A test of the generator checks that all other classes keep their signatures.
 */
class TwoReleasesTest {
    private val classes = File(VitalwireClient::class.java.protectionDomain.codeSource.location.toURI())
    private val path = System.getProperty("surefire.test.class.path") ?: System.getProperty("java.class.path")

    /** Compiles in a separate process, because other libraries on the class path have classes with the same names as the compiler's. */
    private fun compile(sources: File, to: File) {
        val module = File(classes, "META-INF").list().orEmpty().single { it.endsWith(".kotlin_module") }.removeSuffix(".kotlin_module")
        val compiler = path.split(File.pathSeparator).filter { COMPILER.containsMatchIn(File(it).name) }.joinToString(File.pathSeparator)
        val said = java(
            "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", compiler, "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler",
            "-no-stdlib", "-no-reflect", "-nowarn", "-classpath", path, "-Xfriend-paths=$classes", "-module-name", module,
            "-jvm-target", "1.8", "-jvm-default=no-compatibility", "-d", to.path, sources.path,
        )
        assertTrue(File(to, "dev/vitalwire/SleepRecord.class").exists(), "$said")
    }

    private fun run(path: String) =
        java("-XX:TieredStopAtLevel=1", "-cp", path, "-Djna.library.path=${System.getProperty("jna.library.path")}",
            "dev.vitalwire.caller.Application")

    private fun java(vararg arguments: String): List<String> {
        val java = File(System.getProperty("java.home"), "bin/java").path
        val process = ProcessBuilder(java, *arguments).redirectErrorStream(true).start()
        val lines = process.inputStream.bufferedReader().readLines()
        assertTrue(process.waitFor(1, TimeUnit.MINUTES))
        return lines
    }

    @Test
    fun `an application runs with the next release`(@TempDir next: File) {
        val sources = File(classes.parentFile.parentFile, "next")
        assertTrue(sources.list().orEmpty().size > 4, "run this by `cargo xtask test`")
        compile(sources, next)
        val additions = listOf("SleepRecord", "UserInfo", "GetSleepOptions", "GetUserInfoOptions")
        assertEquals(listOf("additions: $additions", "ran: true"), run(next.path + File.pathSeparator + path))
    }

    private companion object {
        val COMPILER = Regex(
            "^(kotlin-(compiler-embeddable|stdlib|script-runtime|reflect|daemon-embeddable)|" +
                "kotlinx-coroutines-core-jvm|annotations)-",
        )
    }
}
