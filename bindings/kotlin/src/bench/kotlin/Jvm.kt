package dev.vitalwire.bench

import java.io.File
import java.lang.management.ManagementFactory
import kotlin.time.Duration

/** Runs programs of this folder in their own JVMs, with the classes and options of this JVM. */
internal object Jvm {
    /** Runs a program and waits for its end. */
    fun program(name: String, vararg arguments: String): Alternative {
        val java = File(System.getProperty("java.home"), "bin/java").path
        val options = ManagementFactory.getRuntimeMXBean().inputArguments
        val command = listOf(java) + options + listOf("-classpath", System.getProperty("java.class.path"), "dev.vitalwire.bench.$name") + arguments
        return timed {
            val ended = ProcessBuilder(command).inheritIO().start().waitFor()
            check(ended == 0) { "$name ended with $ended" }
        }
    }
}

/** Returns the budget without warm-up, which has no effect on other processes. */
internal fun Budget.cold(): Budget = Budget(rounds, slice, Duration.ZERO)
