package stranger

import android.app.Application
import android.content.Context
import dev.vitalwire.*
import dev.vitalwire.consent.ConsentModel
import dev.vitalwire.stranger.BuildConfig
import java.io.File
import java.security.SecureRandom
import kotlinx.coroutines.MainScope
import stranger.sync.Outcome
import stranger.sync.update

/** Objects that live as long as the process, for activities and workers. */
class SampleApplication : Application() {
    // --8<-- [start:copy]
    val copy by lazy { SqliteCopy(this, File(noBackupFilesDir, "records.db")) }

    /** Updates the copy of the signed-in user's daily statistics. */
    suspend fun update(): Outcome = client.update(copy, setOf(RecordKind.DAILY), secret, user = "user-7")

    /** Key of the digests in states, outside of the copy. */
    private val secret by lazy {
        val file = File(noBackupFilesDir, "secret")
        if (file.length() != 32L) file.writeBytes(ByteArray(32).also { SecureRandom().nextBytes(it) })
        file.readBytes()
    }
    // --8<-- [end:copy]

    /** Model of the screen on which the user connects providers. It outlives activities. */
    val consent by lazy { ConsentModel(client, "nights://app.example.org/connected", File(noBackupFilesDir, "consent"), MainScope()) }

    // --8<-- [start:client]
    private val sandbox get() = getSharedPreferences("sandbox", Context.MODE_PRIVATE)

    /** Sets the base URL and the token of a sandbox, before [client] is used. */
    fun useSandbox(url: String?, token: String?) = sandbox.edit().putString("baseUrl", url).putString("token", token).apply()

    /** Client of the sandbox, if this build can use one. Without a base URL, it uses mock responses. */
    val client: VitalwireApi by lazy {
        val url = if (BuildConfig.SANDBOX) sandbox.getString("baseUrl", null) else null
        VitalwireClient {
            if (url == null) {
                mockResponses = MockResponses.samples()
            } else {
                baseUrl = url
                // An emulator reaches the sandbox on its host machine over plain HTTP.
                allowPlainHttp = BuildConfig.DEBUG
                // The token of a sandbox is not secret. An app gets tokens from its server, and keeps them encrypted.
                tokenProvider { AccessToken(sandbox.getString("token", null).orEmpty()) }
            }
            onAttempt(AttemptLog.logcat())
        }
    }
    // --8<-- [end:client]
}
