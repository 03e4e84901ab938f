// What the README shows, word by word; `ReadmeTest` compares them.
package dev.vitalwire.readme

import dev.vitalwire.*

suspend fun deepSleep(token: String, id: String) {
    val client = VitalwireClient {
        baseUrl = "https://health.example.org"
        this.token = token
    }
    client.use {
        val night = client.sleeps.get(id) { includeStages = true }
        for (stage in night.stages.orEmpty().filter { it.stage == SleepStageName.DEEP }) {
            println("${stage.duration} of deep sleep")
        }
    }
}

suspend fun meal(client: VitalwireClient, picture: ByteArray, show: (Any?) -> Unit) {
    client.nutritionRecords.uploadAndWaitAsFlow { body = Picture.withoutMetadata(picture) }.collect { state ->
        when (state) {
            is AnalysisState.Progress -> show(state.progress.recordId)
            is AnalysisState.Ended -> show(state.record)
        }
    }
}

class Nights(private val sleeps: Sleeps) {
    suspend fun score(id: String): Long? = sleeps.get(id).score
}

val fake = object : Sleeps {
    override suspend fun get(id: String, options: GetSleepOptions) = SleepRecord { score = 80 }
}
