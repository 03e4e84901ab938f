package dev.vitalwire.conformance

import com.sun.jna.Library
import com.sun.jna.Native
import java.nio.file.Files

/**
 * Captures all output of this process while it is open, including that of native code.
 *
 * @param streams which of standard output and standard error are redirected to a file.
 */
internal class Log(private val streams: List<Int> = listOf(1, 2)) : AutoCloseable {
    private val file = Files.createTempFile("vitalwire", ".log")
    private val kept = streams.map(system::dup)

    init {
        val log = system.creat(file.toString(), OWNER)
        check(log >= 0) { "no file for what is logged" }
        streams.forEach { system.dup2(log, it) }
        system.close(log)
    }

    /** Returns the output so far. */
    fun lines(): List<String> = String(Files.readAllBytes(file)).lines()

    override fun close() {
        for ((stream, old) in streams.zip(kept)) {
            system.dup2(old, stream)
            system.close(old)
        }
        Files.delete(file)
    }

    private interface System : Library {
        fun creat(path: String, mode: Int): Int

        fun dup(from: Int): Int

        fun dup2(from: Int, to: Int): Int

        fun close(which: Int): Int
    }

    private companion object {
        val system: System = Native.load("c", System::class.java)

        /** File mode 0600, as a decimal number: readable and writable by the owner only. */
        const val OWNER = 384
    }
}
