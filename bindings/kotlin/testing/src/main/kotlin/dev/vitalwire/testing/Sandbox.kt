package dev.vitalwire.testing

import dev.vitalwire.VitalwireClient
import java.io.IOException
import java.util.concurrent.TimeUnit

/**
 * A local sandbox of the service, with synthetic data. The sandbox is the program `vitalwire sandbox` in a separate process.
 *
 * [SandboxExtension] starts a sandbox for the tests of a class.
 */
public class Sandbox private constructor(private val process: Process, ready: String) : AutoCloseable {
    /** Base URL of the health service. */
    public val baseUrl: String = member(ready, "base_url")

    /** Base URL of the policy-benefits service. */
    public val careBaseUrl: String = member(ready, "care_base_url")

    /** Token of the first person in the sandbox. */
    public val token: String = member(ready, "token")

    /** Token of the first person for the policy-benefits service. */
    public val careToken: String = member(ready, "care_token")

    /** Id of the first person's last sleep. */
    public val sleepId: String = member(ready, "sleep_id")

    /** A client with the tokens of the first person. [close] closes it. */
    public val client: VitalwireClient by lazy { client {} }

    /** Creates a client with the tokens of the first person and further settings. The caller must close the client. */
    public fun client(settings: VitalwireClient.Builder.() -> Unit): VitalwireClient = VitalwireClient {
        baseUrl = this@Sandbox.baseUrl
        careBaseUrl = this@Sandbox.careBaseUrl
        token = this@Sandbox.token
        careToken = this@Sandbox.careToken
        noProxy = true
        settings()
    }

    /** Stops the sandbox and closes [client]. */
    override fun close() {
        client.close()
        // The program exits at the end of its standard input.
        process.outputStream.close()
        if (!process.waitFor(GRACE_SECONDS, TimeUnit.SECONDS)) process.destroyForcibly()
    }

    /** Returns a description without URLs, tokens and ids. */
    override fun toString(): String = "Sandbox(..)"

    public companion object {
        private const val GRACE_SECONDS = 10L

        private const val NOT_STARTED =
            "`vitalwire sandbox` cannot be started; put the program on the PATH or set VITALWIRE_PROGRAM to its path"

        /**
         * Starts a sandbox.
         *
         * @param program path of the program `vitalwire`. Defaults to the variable `VITALWIRE_PROGRAM`, then to `vitalwire` on the `PATH`.
         * @param seed seed of the synthetic data. Defaults to 7.
         * @throws IllegalStateException if the sandbox cannot be started. The message has the reason.
         */
        @JvmStatic
        @JvmOverloads
        public fun start(program: String? = null, seed: Int = 7): Sandbox {
            val named = program ?: System.getenv("VITALWIRE_PROGRAM") ?: "vitalwire"
            val builder = ProcessBuilder(named, "sandbox", "--ready-json", "--seed", "$seed").redirectError(ProcessBuilder.Redirect.INHERIT)
            val process = try {
                builder.start()
            } catch (error: IOException) {
                throw IllegalStateException(NOT_STARTED, error)
            }
            val ready = process.inputStream.bufferedReader().readLine()
            if (ready == null) {
                process.destroyForcibly()
                throw IllegalStateException("`vitalwire sandbox` ended before it was ready; its output has the reason")
            }
            return Sandbox(process, ready)
        }

        /** Reads a text field of a flat JSON object. */
        private fun member(json: String, name: String): String =
            checkNotNull(Regex("\"$name\"\\s*:\\s*\"([^\"\\\\]*)\"").find(json)) {
                "`vitalwire sandbox` did not print its $name"
            }.groupValues[1]
    }
}
