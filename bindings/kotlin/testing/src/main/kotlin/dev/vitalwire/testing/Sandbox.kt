package dev.vitalwire.testing

import dev.vitalwire.VitalwireClient
import java.io.IOException
import java.util.concurrent.TimeUnit

/**
 * A sandbox of the service on this machine, in a process of its own: the program `vitalwire sandbox`. All its data is synthetic.
 *
 * [SandboxExtension] starts one for the tests of a class.
 */
public class Sandbox private constructor(private val process: Process, ready: String) : AutoCloseable {
    /** Where it is. */
    public val baseUrl: String = member(ready, "base_url")

    /** Where its policy-benefits service is. */
    public val careBaseUrl: String = member(ready, "care_base_url")

    /** The token of its first person. */
    public val token: String = member(ready, "token")

    /** That person's token for the policy-benefits service. */
    public val careToken: String = member(ready, "care_token")

    /** The id of that person's last sleep. */
    public val sleepId: String = member(ready, "sleep_id")

    /** A client of that person; it is closed with the sandbox. */
    public val client: VitalwireClient by lazy { client {} }

    /** A client of that person with further settings. */
    public fun client(settings: VitalwireClient.Builder.() -> Unit): VitalwireClient = VitalwireClient {
        baseUrl = this@Sandbox.baseUrl
        careBaseUrl = this@Sandbox.careBaseUrl
        token = this@Sandbox.token
        careToken = this@Sandbox.careToken
        noProxy = true
        settings()
    }

    /** Ends the sandbox. */
    override fun close() {
        client.close()
        // It ends when its input does.
        process.outputStream.close()
        if (!process.waitFor(GRACE_SECONDS, TimeUnit.SECONDS)) process.destroyForcibly()
    }

    /** Shows no URL, token and id. */
    override fun toString(): String = "Sandbox(..)"

    public companion object {
        private const val GRACE_SECONDS = 10L

        /**
         * Starts a sandbox.
         *
         * @param program the program `vitalwire`; without it, the one that the variable `VITALWIRE_PROGRAM` or `PATH` names.
         * @param seed the number that all of its data follows from.
         * @throws IllegalStateException where it cannot be started; it says why.
         */
        @JvmStatic
        @JvmOverloads
        public fun start(program: String? = null, seed: Int = 7): Sandbox {
            val named = program ?: System.getenv("VITALWIRE_PROGRAM") ?: "vitalwire"
            val builder = ProcessBuilder(named, "sandbox", "--ready-json", "--seed", "$seed").redirectError(ProcessBuilder.Redirect.INHERIT)
            val process = try {
                builder.start()
            } catch (error: IOException) {
                throw IllegalStateException("`vitalwire sandbox` cannot be started; have the program on the PATH, or name it by VITALWIRE_PROGRAM", error)
            }
            val ready = process.inputStream.bufferedReader().readLine()
            if (ready == null) {
                process.destroyForcibly()
                throw IllegalStateException("`vitalwire sandbox` did not say where it is")
            }
            return Sandbox(process, ready)
        }

        /** A text of a flat object. */
        private fun member(json: String, name: String): String =
            checkNotNull(Regex("\"$name\"\\s*:\\s*\"([^\"\\\\]*)\"").find(json)) { "`vitalwire sandbox` did not say its $name" }.groupValues[1]
    }
}
