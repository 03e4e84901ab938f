package dev.vitalwire.caller

import dev.vitalwire.MockResponses
import dev.vitalwire.GetSleepOptions
import dev.vitalwire.GetUserInfoOptions
import dev.vitalwire.SleepRecord
import dev.vitalwire.UserInfo
import dev.vitalwire.VitalwireClient
import dev.vitalwire.get
import dev.vitalwire.info
import dev.vitalwire.readme.fake
import kotlin.system.exitProcess
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.runBlocking

/** The program that `TwoReleasesTest` compiles against this release and runs with the next one. */
internal object Application {
    @JvmStatic
    fun main(arguments: Array<String>) {
        val types = listOf(SleepRecord::class.java, UserInfo::class.java, GetSleepOptions::class.java, GetUserInfoOptions::class.java)
        println("additions: ${types.filter { type -> type.methods.any { it.name == "getAddedLater" } }.map { it.simpleName }}")
        val caller = JavaCallerTest()
        caller.everyCallReturnsItsRecord()
        caller.buildersSetEveryOption()
        RecordsTest().aNightHasEveryField()
        val client = VitalwireClient { mockResponses = MockResponses.samples() }
        val night = runBlocking {
            client.user.info { timeout = 20.seconds }
            client.user.info()
            client.sleeps.get("any") { includeStages = true }
        }
        val ours = runBlocking { fake.get("any") }
        val same = SleepRecord { score = 80 }
        val differs = GetSleepOptions { includeStages = true } != GetSleepOptions.DEFAULT
        println("ran: ${night == night.toBuilder().build() && ours == same && differs}")
        // Exit now, because idle threads of a closed client would keep the process running for a while.
        exitProcess(0)
    }
}
