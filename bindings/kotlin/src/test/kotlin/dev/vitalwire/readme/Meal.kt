// Kotlin code of the README. `ReadmeTest` checks that both are equal.
package dev.vitalwire.readme

import dev.vitalwire.*
import java.io.InputStream

suspend fun meal(client: VitalwireClient, photo: InputStream, show: (Any?) -> Unit) {
    client.nutritionRecords.uploadAndWaitAsFlow(PictureUpload.of(photo, removeMetadata = true)).collect { state ->
        when (state) {
            is WaitState.Progress -> show(state.progress.recordId)
            is WaitState.Ended -> show(state.record)
        }
    }
}
