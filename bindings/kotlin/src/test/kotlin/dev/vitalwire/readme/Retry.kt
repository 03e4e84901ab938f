// Kotlin code of the README. `ReadmeTest` checks that both are equal.
package dev.vitalwire.readme

import dev.vitalwire.*
import kotlin.time.Duration

suspend fun lunch(client: VitalwireClient, photo: PictureUpload, retry: (Duration?) -> Unit, check: (String?) -> Unit) {
    try {
        client.nutritionRecords.upload(photo)
    } catch (error: VitalwireException) {
        when {
            error.mayHaveTakenEffect -> check(error.recordId)
            error.isTransient -> retry(error.retryAfter)
            else -> throw error
        }
    }
}
