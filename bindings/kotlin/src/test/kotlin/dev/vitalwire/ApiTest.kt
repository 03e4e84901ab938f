package dev.vitalwire

import dev.vitalwire.consent.ConsentModel
import dev.vitalwire.serialization.RecordSerializer
import dev.vitalwire.server.WebhookVerifier
import dev.vitalwire.testing.Samples
import java.io.File
import org.jetbrains.kotlin.abi.tools.AbiFilters
import org.jetbrains.kotlin.abi.tools.AbiTools
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test

/** Compares the public API with the committed dumps. `VITALWIRE_BLESS=1` rewrites the dumps; review the changes. */
class ApiTest {
    @Test
    fun `the public API is the committed one`() {
        for ((artifact, dump) in dumps) assertMatchesDump(artifact, dump)
    }

    private fun assertMatchesDump(artifact: String, dump: String) {
        val committed = File(System.getProperty("package.dir"), "api/$artifact.api")
        if (System.getenv("VITALWIRE_BLESS") != null) committed.apply { parentFile.mkdirs() }.writeText(dump)
        assertEquals(committed.readText(), dump, "the public API is another; if it should be, run the test with VITALWIRE_BLESS=1")
    }

    @Test
    fun `no public name mentions the implementation`() {
        val names = Regex("""\b[\w$]*(Ffi|[Uu]niffi|Rust|Native|Params|Adapter)[\w$]*|dev/vitalwire/(server/)?ffi""")
        for ((artifact, dump) in dumps) assertEquals(emptySet<String>(), names.findAll(dump).map { it.value }.toSet(), artifact)
        val artifacts = listOf("SleepRecord ", "server/WebhookVerifier ", "testing/Samples ", "serialization/SleepRecordSerializer ")
        val known = artifacts + "consent/ConsentModel "
        for ((one, name) in dumps.values zip known) assertTrue("class dev/vitalwire/$name" in one, name)
    }

    /** Checks that Java can call all functions. Kotlin mangles the names of functions with unsigned types or durations. */
    @Test
    fun `no public type is unsigned`() {
        for ((artifact, dump) in dumps) {
            val unsigned = Regex("""kotlin/U(Byte|Short|Int|Long)\w*""").findAll(dump).map { it.value }
            assertEquals(emptyList<String>(), unsigned.toList(), artifact)
        }
        val mangled = dumps.values.flatMap { dump -> Regex("""(\w+)-(\w{7})""").findAll(dump).map { it.groupValues[2] } }
        assertTrue(mangled.isNotEmpty())
        // Suffixes of functions with duration parameters or results. Each of these functions has a variant for Java.
        val times = setOf("LRDsOJo", "BwNAW2A", "QTBD994", "6Au4x4Y", "HG0u8IE", "UwyO8pc", "FghU774")
        assertEquals(emptySet<String>(), mangled.toSet() - times)
    }

    /** Checks that no signature lists all fields of a type, because a later release may add fields. */
    @Test
    fun `types that can gain fields have neither copy nor component functions`() {
        for ((artifact, dump) in dumps) {
            // Kotlin appends a dash and a suffix to the names of functions that use inline classes.
            val ofData = Regex(""".* fun (copy|component\d+)(-\w+)? \(.*""").findAll(dump).map { it.value }
            assertEquals(emptyList<String>(), ofData.toList(), artifact)
        }
        // The classes with public constructors are open sets and the classes below. No constructor will get more parameters.
        val made = dumps.values.flatMap(::classes).filter { Regex("""\tpublic .*<init> \(""").containsMatchIn(it.text) }
        val (sets, others) = made.partition { it.head.endsWith(" : dev/vitalwire/OpenSet {") }
        val withParameters = setOf("dev/vitalwire/consent/ConsentModel", "dev/vitalwire/server/WebhookVerifier")
        val known = withParameters + setOf("MockResponses", "consent/ConsentTexts", "testing/SandboxExtension").map { "dev/vitalwire/$it" }
        assertEquals(known, others.map { it.name }.toSet())
        assertTrue(others.all { it.name in withParameters || "\tpublic fun <init> ()V\n" in it.text })
        assertTrue(sets.size > 10 && sets.all { it.text.split("<init>").size == 2 && "<init> (Ljava/lang/String;)V\n" in it.text })
    }

    @Test
    fun `records keep unknown fields, and options have builders`() {
        val main = classes(dumps.getValue("vitalwire")).associateBy { it.name }
        val own = { folder: String -> File(SOURCES, folder).list().orEmpty().map { "dev/vitalwire/${it.removeSuffix(".kt")}" } }
        assertTrue(own("records").size > 20 && own("options").size > 10)
        for (record in own("records")) assertTrue("getExtra" in main.getValue(record).text, record)
        val byHand = listOf("RangeOptions", "WaitOptions", "MockResponse", "VitalwireClient").map { "dev/vitalwire/$it" }
        for (grows in own("records") + own("maps") + own("options") + byHand) assertTrue("$grows\$Builder" in main, grows)
    }

    /** A class in a dump. */
    private class ClassDump(val head: String, val text: String) {
        val name = checkNotNull(Regex("""class (dev/[\w$/]+)""").find(head)).groupValues[1]
    }

    private fun classes(dump: String) =
        dump.trim().split("\n}\n").filter { it.isNotBlank() }.map { ClassDump(it.trim().lines().first(), "$it\n") }

    /** Checks that Java tests use every public class: `JavaCallerTest` and `RecordsTest`, and `GeneratedClasses` for generated classes. */
    @Test
    fun `the caller in Java uses every public class`() {
        val files = File(System.getProperty("package.dir"), "src/test/java/dev/vitalwire/caller").listFiles().orEmpty()
        val caller = files.joinToString("\n") { parseJavaSource(it.readText()) }
        assertTrue("SleepRecord" in caller && "An application in Java" !in caller && "upload_nutrition_record" !in caller)
        val classes = Regex("""^public .*?(?:class|interface) dev/vitalwire/([\w$]+)""", RegexOption.MULTILINE)
            .findAll(dumps.getValue("vitalwire")).map { it.groupValues[1] }
        // Java code does not use companions, `VitalwireDsl` and the file classes of extension functions.
        val own = classes.filter { !it.endsWith("Kt") && !it.endsWith("Companion") && it != "VitalwireDsl" }
        val missing = own.map { it.replace('$', '.') }.filter { !Regex("""\b${Regex.escape(it)}\b""").containsMatchIn(caller) }
        assertEquals(emptyList<String>(), missing.toList())
    }

    /** Removes comments and strings from Java source, because naming a class in them does not use it. */
    private fun parseJavaSource(source: String) =
        Regex(""""(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/""", RegexOption.DOT_MATCHES_ALL).replace(source, " ")

    private companion object {
        val SOURCES = File(System.getProperty("package.dir"), "src/main/kotlin/generated")

        /** The dump of each artifact's public API, by artifact. */
        val dumps: Map<String, String> by lazy {
            mapOf(
                "vitalwire" to dump(VitalwireClient::class.java, ""),
                "vitalwire-server" to dump(WebhookVerifier::class.java, "dev/vitalwire/server"),
                "vitalwire-testing" to dump(Samples::class.java, "dev/vitalwire/testing"),
                "vitalwire-serialization" to dump(RecordSerializer::class.java, "dev/vitalwire/serialization"),
                "vitalwire-consent" to dump(ConsentModel::class.java, "dev/vitalwire/consent"),
            )
        }

        /** Returns the dump of all classes in a folder of the class path entry that contains [one]. */
        fun dump(one: Class<*>, folder: String): String {
            val classes = File(one.protectionDomain.codeSource.location.toURI())
            val files = File(classes, folder).walk().filter { it.extension == "class" }.sorted().toList()
            return StringBuilder().also { AbiTools.getInstance().printJvmDump(it, files, AbiFilters.EMPTY) }.toString()
        }
    }
}
