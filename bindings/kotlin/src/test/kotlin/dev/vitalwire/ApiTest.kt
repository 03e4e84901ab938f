package dev.vitalwire

import dev.vitalwire.serialization.RecordSerializer
import dev.vitalwire.testing.Samples
import java.io.File
import org.jetbrains.kotlin.abi.tools.AbiFilters
import org.jetbrains.kotlin.abi.tools.AbiTools
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test

/** What applications may use. `VITALWIRE_BLESS=1` writes the committed file anew; its difference is then read in review. */
class ApiTest {
    @Test
    fun `the public API is the committed one`() {
        committed("vitalwire", dump)
        committed("vitalwire-testing", dump(Samples::class.java, "dev/vitalwire/testing"))
        committed("vitalwire-serialization", dump(RecordSerializer::class.java, "dev/vitalwire/serialization"))
    }

    private fun committed(artifact: String, dump: String) {
        val committed = File(System.getProperty("package.dir"), "api/$artifact.api")
        if (System.getenv("VITALWIRE_BLESS") != null) committed.apply { parentFile.mkdirs() }.writeText(dump)
        assertEquals(committed.readText(), dump, "the public API is another; if it should be, run the test with VITALWIRE_BLESS=1")
    }

    @Test
    fun `no public name speaks of what is beneath`() {
        val names = Regex("""\b[\w$]*(Ffi|[Uu]niffi|Rust|Native|Params|Crossed)[\w$]*|dev/vitalwire/ffi""")
        assertEquals(emptySet<String>(), names.findAll(dump).map { it.value }.toSet())
        assertTrue("dev/vitalwire/SleepRecord " in dump)
    }

    /** A function of an unsigned type has a name that Java cannot write, and so has one of a time: those have a second one for Java. */
    @Test
    fun `no public type is unsigned`() {
        assertEquals(emptyList<String>(), Regex("""kotlin/U(Byte|Short|Int|Long)\w*""").findAll(dump).map { it.value }.toList())
        val mangled = Regex("""(\w+)-(\w{7})""").findAll(dump).map { it.groupValues }.toList()
        assertTrue(mangled.isNotEmpty())
        // A time: given, given or absent, two of them, a text and one; and the same as results.
        assertEquals(setOf<String>(), mangled.map { it[2] }.toSet() - setOf("LRDsOJo", "BwNAW2A", "QTBD994", "6Au4x4Y", "UwyO8pc", "FghU774"))
    }

    @Test
    fun `records can grow`() {
        assertEquals(emptyList<String>(), Regex(""".* fun (copy|component\d+) .*""").findAll(dump).map { it.value }.toList())
        val records = File(SOURCES, "records").list().orEmpty().map { it.removeSuffix(".kt") }
        assertTrue(records.size > 20)
        for (record in records) {
            val own = dump.substringAfter("public final class dev/vitalwire/$record ").substringBefore("\n}\n")
            assertTrue("getExtra" in own && "public fun <init>" !in own, record)
        }
    }

    /** `JavaCallerTest` and `RecordsTest` use what is written by hand and what differs; `GeneratedClasses` names the rest. */
    @Test
    fun `the caller in Java uses every public class`() {
        val caller = File(System.getProperty("package.dir"), "src/test/java/dev/vitalwire/caller").listFiles().orEmpty().joinToString { it.readText() }
        val classes = Regex("""^public .*?(?:class|interface) dev/vitalwire/([\w$]+)""", RegexOption.MULTILINE).findAll(dump).map { it.groupValues[1] }
        // Files of extensions, companions and what only Kotlin's own way of writing needs are none of Java's.
        val own = classes.filter { !it.endsWith("Kt") && !it.endsWith("Companion") && it != "VitalwireDsl" }
        val missing = own.map { it.replace('$', '.') }.filter { !Regex("""\b${Regex.escape(it)}\b""").containsMatchIn(caller) }
        assertEquals(emptyList<String>(), missing.toList())
    }

    private companion object {
        val SOURCES = File(System.getProperty("package.dir"), "src/main/kotlin/generated")

        val dump: String by lazy { dump(VitalwireClient::class.java, "") }

        /** Of the classes that are where this one is, below a folder. */
        fun dump(one: Class<*>, folder: String): String {
            val classes = File(one.protectionDomain.codeSource.location.toURI())
            val files = File(classes, folder).walk().filter { it.extension == "class" }.sorted().toList()
            return StringBuilder().also { AbiTools.getInstance().printJvmDump(it, files, AbiFilters.EMPTY) }.toString()
        }
    }
}
