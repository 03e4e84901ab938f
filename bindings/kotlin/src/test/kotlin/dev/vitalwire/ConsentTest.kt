package dev.vitalwire

import dev.vitalwire.consent.ConsentFailure
import dev.vitalwire.consent.ConsentModel
import dev.vitalwire.consent.ConsentPhase
import dev.vitalwire.consent.ConsentState
import dev.vitalwire.consent.ConsentStatus
import dev.vitalwire.consent.ConsentTexts
import dev.vitalwire.testing.Call
import dev.vitalwire.testing.Failure
import dev.vitalwire.testing.Sandbox
import dev.vitalwire.testing.clear
import dev.vitalwire.testing.delayed
import dev.vitalwire.testing.failing
import dev.vitalwire.testing.mock
import dev.vitalwire.testing.on
import java.io.File
import java.io.IOException
import java.net.HttpURLConnection
import java.net.URI
import java.util.concurrent.Executors
import kotlin.time.Duration.Companion.milliseconds
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Job
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Assertions.fail
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir

/** Tests the model of the consent screen: the whole flow against the sandbox, and failures with mock responses. */
class ConsentTest {
    @TempDir
    lateinit var folder: File
    private val file get() = File(folder, "consent")

    private fun model(client: VitalwireApi, redirectUri: String = "nights://app.example.org/connected") =
        ConsentModel(client, redirectUri, file, SCOPE).apply { providers = listOf(ProviderSlug.LUNA, ProviderSlug.POLAR) }

    private fun ConsentModel.show(job: Job): ConsentPhase = runBlocking {
        job.join()
        state.value.phase
    }

    private fun ConsentModel.status(provider: ProviderSlug) = state.value.providers.first { it.slug == provider }.status

    /** Receives a redirect and resumes, as an activity does. */
    private fun ConsentModel.resume(redirect: String) = show(onThread { receive(redirect).let { load() } })

    /** Connects a provider. Returns the URL that was opened. */
    private fun ConsentModel.open(provider: ProviderSlug): String {
        val opened = mutableListOf<String>()
        assertEquals(ConsentPhase.WAITING, show(connect(provider) { opened += it }))
        assertEquals(provider, state.value.provider)
        return opened.single()
    }

    @AfterEach
    fun reset() = post("reset", "{}")

    @Test
    fun `the user agrees`() {
        val model = model(SANDBOX.client)
        assertEquals(ConsentPhase.LOADING, model.state.value.phase)
        assertEquals(ConsentPhase.READY, model.show(model.load()))
        assertEquals(listOf(ProviderSlug.LUNA, ProviderSlug.POLAR), model.state.value.providers.map { it.slug })
        assertEquals(ConsentStatus.NOT_CONNECTED, model.status(ProviderSlug.LUNA))
        val redirect = answer("allow", model.open(ProviderSlug.LUNA))
        assertEquals(ConsentPhase.CONNECTED, model.resume(redirect))
        assertEquals(ConsentStatus.CONNECTED, model.status(ProviderSlug.LUNA))
        assertFalse(file.exists(), "a state is used once")
        assertEquals(ConsentPhase.CONNECTED, model.resume(redirect), "a repeated redirect has no effect")
        assertEquals(ConsentPhase.READY, model.show(model.load()))
    }

    @Test
    fun `the user refuses, and the provider fails`() {
        val model = model(SANDBOX.client)
        for (answer in listOf("refuse", "fail")) {
            assertEquals(ConsentPhase.REFUSED, model.resume(answer(answer, model.open(ProviderSlug.LUNA))))
        }
        model.show(model.load())
        assertEquals(ConsentStatus.NOT_CONNECTED, model.status(ProviderSlug.LUNA))
    }

    @Test
    fun `a broken connection is shown and repaired`() {
        val model = model(SANDBOX.client)
        val redirect = answer("allow", model.open(ProviderSlug.LUNA))
        post("integrations", """{"user_id": "person-1", "provider_slug": "luna", "state": "broken"}""")
        assertEquals(ConsentPhase.BROKEN, model.resume(redirect))
        assertEquals(ConsentStatus.BROKEN, model.status(ProviderSlug.LUNA))
        assertEquals(ConsentPhase.CONNECTED, model.resume(answer("allow", model.open(ProviderSlug.LUNA))))
    }

    /** The screen resumes before the user has answered. A custom tab does not report that it was closed. */
    @Test
    fun `a user who closes the page sees the list, and can still agree later`() {
        val model = model(SANDBOX.client)
        val page = model.open(ProviderSlug.LUNA)
        assertEquals(ConsentPhase.READY, model.show(model.load()))
        assertEquals(ConsentPhase.CONNECTED, model.resume(answer("allow", page)))
    }

    @Test
    fun `an activity that resumes with a redirect shows the result`() {
        val model = model(SANDBOX.client)
        val redirect = answer("refuse", model.open(ProviderSlug.LUNA))
        assertEquals(ConsentPhase.REFUSED, model.resume(redirect))
        // The result may be there before the activity resumes.
        model.show(model.receive(answer("allow", model.open(ProviderSlug.LUNA))))
        assertEquals(listOf(ConsentPhase.CONNECTED, ConsentPhase.READY), List(2) { model.show(model.load()) })
    }

    @Test
    fun `a second tap has no effect`() {
        val model = model(SANDBOX.client)
        val opened = mutableListOf<String>()
        onThread {
            for (provider in listOf(ProviderSlug.LUNA, ProviderSlug.POLAR)) model.connect(provider) { url -> opened += url }
            model.load()
        }.let { model.show(it) }
        model.show(model.connect(ProviderSlug.POLAR) { fail("a second page was opened") })
        assertEquals(ProviderSlug.LUNA, model.state.value.provider)
        assertEquals(ConsentPhase.CONNECTED, model.resume(answer("allow", opened.single())))
    }

    @Test
    fun `a redirect of another connection is rejected and does not end this one`() {
        val model = model(SANDBOX.client)
        val old = answer("allow", model.open(ProviderSlug.LUNA))
        model.show(model.receive(old))
        val forgeries = listOf<(String) -> String>(
            { old }, { it.replace("=polar", "=luna") }, { "nights://app.example.org/connected?provider_slug=polar" }, { "" },
        )
        for (forge in forgeries) {
            val redirect = answer("allow", model.open(ProviderSlug.POLAR))
            model.show(model.receive(forge(redirect)))
            assertEquals(ConsentPhase.WAITING, model.state.value.phase)
            assertEquals(ConsentPhase.READY, model.resume(forge(redirect)))
            // A redirect without `provider_slug` is accepted if its state matches.
            assertEquals(ConsentPhase.CONNECTED, model.resume(redirect.replace("&provider_slug=polar", "")))
        }
    }

    @Test
    fun `the redirect may reach another process`() {
        val redirect = answer("allow", model(SANDBOX.client).open(ProviderSlug.LUNA))
        val restarted = model(SANDBOX.client)
        assertEquals(ConsentPhase.CONNECTED, restarted.resume(redirect))
        val refused = answer("refuse", restarted.open(ProviderSlug.POLAR))
        val later = model(SANDBOX.client)
        assertEquals(ConsentPhase.REFUSED, later.resume(refused))
        assertEquals(ConsentStatus.CONNECTED, later.status(ProviderSlug.LUNA), "the list is shown, too")
        // An activity that the system creates again has the same intent.
        val again = model(SANDBOX.client)
        assertEquals(ConsentPhase.READY, again.resume(redirect))
    }

    @Test
    fun `a cancelled connection ignores its redirect`() {
        val model = model(SANDBOX.client)
        val page = model.open(ProviderSlug.LUNA)
        assertEquals(ConsentPhase.READY, model.show(model.cancel()))
        assertEquals(ConsentPhase.READY, model.resume(answer("refuse", page)))
    }

    @Test
    fun `a connection is only shown once the service lists it`() {
        val model = model(SANDBOX.client { maxRetries = 0 })
        val redirect = answer("allow", model.open(ProviderSlug.LUNA))
        post("faults", """{"fault": "status; status=503; operation=get_user_info"}""")
        assertEquals(ConsentPhase.FAILED, model.resume(redirect))
        assertEquals(ConsentFailure.UNCONFIRMED, model.state.value.failure)
        assertEquals(503, (model.state.value.error as VitalwireException).status)
        model.show(model.load())
        assertEquals(ConsentStatus.CONNECTED, model.status(ProviderSlug.LUNA))
        assertNull(model.state.value.error)
    }

    @Test
    fun `a list that cannot be read can be read again`() {
        val expected = mapOf(
            Failure.TRANSPORT to ConsentFailure.UNAVAILABLE, Failure.AUTHENTICATION to ConsentFailure.SIGN_IN,
            Failure.NOT_FOUND to ConsentFailure.UNAVAILABLE,
        )
        for ((failure, shown) in expected) {
            val responses = MockResponses().on(Call.USER_INFO, MockResponse.failing(failure))
            val model = model(client(responses))
            assertEquals(ConsentPhase.UNAVAILABLE, model.show(model.load()))
            assertEquals(shown, model.state.value.failure)
            assertTrue(model.state.value.providers.isEmpty(), "nothing is known of the providers")
            responses.clear(Call.USER_INFO)
            responses.on(Call.USER_INFO, MockResponse { json = """{"integrated_providers": null}""" })
            assertEquals(ConsentPhase.READY, model.show(model.load()))
        }
    }

    @Test
    fun `a network error in the token function does not require a sign-in`() {
        val expected = listOf(
            IOException("no network") to ConsentFailure.UNAVAILABLE, IllegalStateException("signed out") to ConsentFailure.SIGN_IN,
        )
        for ((error, failure) in expected) {
            val model = model(VitalwireClient { baseUrl = SANDBOX.baseUrl; tokenProvider { throw error } })
            assertEquals(ConsentPhase.UNAVAILABLE, model.show(model.load()))
            assertEquals(failure, model.state.value.failure)
        }
    }

    @Test
    fun `a redirect of an earlier page does not end a new connection`() {
        val responses = MockResponses()
        repeat(2) { responses.on(Call.INTEGRATIONS_INIT_URL, MockResponse { json = """{"path": "https://app.example.org/consent"}""" }) }
        responses.on(Call.USER_INFO, MockResponse { json = "{}" })
        responses.on(Call.USER_INFO, MockResponse { json = """{"integrated_providers": [{"provider_slug": "polar"}]}""" })
        val model = model(client(responses))
        fun redirect(provider: String): String {
            val state = responses.requests().mapNotNull { request -> request.query.find { it.first == "state" } }.last().second
            return "nights://app.example.org/connected?state=$state&provider_slug=$provider"
        }
        model.open(ProviderSlug.LUNA)
        val earlier = redirect("luna")
        model.show(model.load())
        model.show(onThread { model.connect(ProviderSlug.POLAR) { }.let { model.receive(earlier) } })
        assertEquals(ConsentPhase.WAITING, model.state.value.phase)
        assertEquals(ConsentPhase.CONNECTED, model.resume(redirect("polar")))
    }

    @Test
    fun `without its state file a connection is read from the list`() {
        for (damage in listOf<(File) -> Unit>({ it.delete() }, { it.writeText("") }, { it.writeText("state") })) {
            val model = model(SANDBOX.client)
            val redirect = answer("allow", model.open(ProviderSlug.LUNA))
            damage(file)
            assertEquals(ConsentPhase.READY, model.resume(redirect))
            assertEquals(ConsentStatus.CONNECTED, model.status(ProviderSlug.LUNA))
            reset()
        }
    }

    @Test
    fun `a connection that is cancelled early opens no page`() {
        val responses = MockResponses().on(Call.USER_INFO, MockResponse { json = "{}" })
        val page = MockResponse { json = """{"path": "https://app.example.org"}""" }
        responses.on(Call.INTEGRATIONS_INIT_URL, page.delayed(300.milliseconds))
        val model = model(client(responses))
        onThread {
            model.connect(ProviderSlug.LUNA) { fail("a page was opened") }
            model.receive("nights://app.example.org/connected")
            model.cancel()
        }.let { assertEquals(ConsentPhase.READY, model.show(it)) }
        Thread.sleep(500)
        assertFalse(file.exists())
    }

    @Test
    fun `the last of two lists is shown`() {
        val responses = MockResponses().on(Call.USER_INFO, MockResponse.failing(Failure.TRANSPORT).delayed(200.milliseconds))
        responses.on(Call.USER_INFO, MockResponse { json = "{}" })
        val model = model(client(responses))
        assertEquals(ConsentPhase.READY, model.show(onThread { model.load().let { model.load() } }))
        assertEquals(2, model.state.value.providers.size)
    }

    @Test
    fun `failures of the consent URL are shown`() {
        val responses = MockResponses()
        val model = model(client(responses))
        fun json(text: String) = MockResponse { json = text }
        val expected = listOf(
            MockResponse.failing(Failure.SERVICE) to ConsentFailure.UNAVAILABLE,
            MockResponse.failing(Failure.TRANSPORT) to ConsentFailure.UNAVAILABLE,
            MockResponse.failing(Failure.AUTHENTICATION) to ConsentFailure.SIGN_IN,
            MockResponse.failing(Failure.INVALID_REQUEST) to ConsentFailure.REJECTED,
            json("""{"provider_slug": "luna"}""") to ConsentFailure.REJECTED,
            json("""{"path": "tel:112"}""") to ConsentFailure.REJECTED,
            json("""{"path": ""}""") to ConsentFailure.REJECTED,
        )
        for ((response, failure) in expected) {
            responses.clear(Call.INTEGRATIONS_INIT_URL)
            responses.on(Call.INTEGRATIONS_INIT_URL, response)
            assertEquals(ConsentPhase.FAILED, model.show(model.connect(ProviderSlug.LUNA) { fail("a page was opened") }))
            assertEquals(failure, model.state.value.failure)
            assertFalse(file.exists())
        }
        responses.clear(Call.INTEGRATIONS_INIT_URL)
        responses.on(Call.INTEGRATIONS_INIT_URL, json("""{"path": "https://app.example.org/consent"}"""))
        model.show(model.connect(ProviderSlug.LUNA) { throw IllegalStateException("no browser") })
        assertEquals(ConsentFailure.BROWSER, model.state.value.failure)
        assertFalse(file.exists())
        val states = responses.requests().map { request -> request.query.single { it.first == "state" }.second }
        assertEquals(8, states.toSet().size, "each connection has a state of its own")
    }

    /** Only a user's id makes the difference for `ultrahuman`. */
    @Test
    fun `the default providers have a consent page`() {
        for (id in listOf(null, "someone@example.com")) {
            val model = model(SANDBOX.client, "https://app.example.org/connected").apply { userId = { id } }
            val rejected = ProviderSlug.allKnown.filter {
                model.show(model.connect(it) { throw IllegalStateException("no browser") })
                model.state.value.failure == ConsentFailure.REJECTED
            }
            val expected = ProviderSlug.allKnown - ConsentModel.DEFAULT_PROVIDERS.toSet()
            assertEquals(if (id == null) expected else expected - ProviderSlug.ULTRAHUMAN, rejected)
        }
    }

    @Test
    fun `texts can be replaced`() {
        val texts = ConsentTexts()
        assertEquals("Omron EU", texts.name(ProviderSlug.OMRON_EU))
        val model = model(SANDBOX.client)
        model.open(ProviderSlug.LUNA)
        assertEquals("Waiting for Luna", texts.sentence(model.state.value))
        texts.waitingMessage = "{provider} wird verbunden."
        texts.name = { "Loona" }
        assertEquals("Loona wird verbunden.", texts.sentence(model.state.value))
        model.show(model.load())
        assertNull(texts.sentence(model.state.value))
    }

    private companion object {
        val SCOPE = CoroutineScope(Executors.newSingleThreadExecutor().asCoroutineDispatcher())
        val SANDBOX: Sandbox by lazy { Sandbox.start() }

        @JvmStatic
        @AfterAll
        fun close() = SANDBOX.close()

        /** Runs calls on the thread of the model, one right after the other, as an activity does. */
        fun onThread(work: () -> Job): Job = runBlocking(SCOPE.coroutineContext) { work() }

        fun client(responses: MockResponses) = VitalwireClient.mock(responses) { maxRetries = 0 }

        /** Opens a consent page, presses a button and returns the redirect. */
        fun answer(answer: String, page: String): String {
            val url = URI(page).toURL()
            val token = checkNotNull(Regex("name=\"form_token\" value=\"([0-9a-f]+)\"").find(url.readText())) { "the page has no form" }
            val connection = url.openConnection() as HttpURLConnection
            connection.instanceFollowRedirects = false
            connection.doOutput = true
            connection.outputStream.use { it.write("form_token=${token.groupValues[1]}&answer=$answer".toByteArray()) }
            return checkNotNull(connection.getHeaderField("Location")) { "status ${connection.responseCode}" }
        }

        /** Sends a command to the sandbox. */
        fun post(route: String, body: String) {
            val connection = URI("${SANDBOX.baseUrl}/_sandbox/$route").toURL().openConnection() as HttpURLConnection
            connection.doOutput = true
            connection.setRequestProperty("content-type", "application/json")
            connection.outputStream.use { it.write(body.toByteArray()) }
            assertTrue(connection.responseCode in 200..299, "status ${connection.responseCode}")
        }
    }
}
