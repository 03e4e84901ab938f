package dev.vitalwire.conformance

import com.sun.jna.Library
import com.sun.jna.Native
import java.nio.file.Files

/** Everything that this process prints while it is open, its native part as well: both standard streams become a file. */
internal class Log : AutoCloseable {
    private val file = Files.createTempFile("vitalwire", ".log")
    private val kept = STREAMS.map(system::dup)

    init {
        val log = system.creat(file.toString(), OWNER)
        check(log >= 0) { "no file for what is logged" }
        STREAMS.forEach { system.dup2(log, it) }
        system.close(log)
    }

    /** What was printed until now. */
    fun lines(): List<String> = String(Files.readAllBytes(file)).lines()

    override fun close() {
        STREAMS.zip(kept).forEach { (stream, old) -> system.dup2(old, stream) }
        Files.delete(file)
    }

    @Suppress("FunctionName", "SpellCheckingInspection")
    private interface System : Library {
        fun creat(path: String, mode: Int): Int

        fun dup(from: Int): Int

        fun dup2(from: Int, to: Int): Int

        fun close(which: Int): Int
    }

    private companion object {
        val system: System = Native.load("c", System::class.java)

        /** Standard output and standard error. */
        val STREAMS = listOf(1, 2)

        /** Readable and writable for its owner. */
        const val OWNER = 384
    }
}
