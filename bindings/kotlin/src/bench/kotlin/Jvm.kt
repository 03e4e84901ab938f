package dev.vitalwire.bench

import java.io.File
import java.lang.management.ManagementFactory
import kotlin.time.Duration

/** Runs the programs of this folder in new JVMs, with the class path and options of this JVM. */
internal object Jvm {
    /** Returns an alternative that runs a program and waits until it exits. */
    fun program(name: String, vararg arguments: String): Alternative {
        val java = File(System.getProperty("java.home"), "bin/java").path
        val options = ManagementFactory.getRuntimeMXBean().inputArguments
        val program = listOf("-classpath", System.getProperty("java.class.path"), "dev.vitalwire.bench.$name")
        val command = listOf(java) + options + program + arguments
        return timed {
            val ended = ProcessBuilder(command).inheritIO().start().waitFor()
            check(ended == 0) { "$name ended with $ended" }
        }
    }
}

/** Returns the budget without a warm-up, which would have no effect on new JVMs. */
internal fun Budget.cold(): Budget = Budget(rounds, slice, Duration.ZERO)
