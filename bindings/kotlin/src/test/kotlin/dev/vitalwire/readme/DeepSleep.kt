// The first Kotlin code of the README. `ReadmeTest` checks that both are equal.
package dev.vitalwire.readme

import dev.vitalwire.*

suspend fun deepSleep(url: String, token: String, id: String) {
    val client = VitalwireClient {
        baseUrl = url
        this.token = token
    }
    client.use {
        val night = client.sleeps.get(id) { includeStages = true }
        for (stage in night.stages.orEmpty().filter { it.stage == SleepStageName.DEEP }) {
            println("${stage.duration} of deep sleep")
        }
    }
}
