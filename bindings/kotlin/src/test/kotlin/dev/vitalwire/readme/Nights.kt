// Kotlin code of the README. `ReadmeTest` checks that both are equal.
package dev.vitalwire.readme

// --8<-- [start:fake]
import dev.vitalwire.*

class Nights(private val sleeps: Sleeps) {
    suspend fun score(id: String): Long? = sleeps.get(id).score
}

val fake = object : Sleeps {
    override suspend fun get(id: String, options: GetSleepOptions) = SleepRecord { score = 80 }
}
// --8<-- [end:fake]
