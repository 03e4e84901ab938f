package dev.vitalwire.consent

import dev.vitalwire.ConsentRedirect
import dev.vitalwire.ProviderSlug
import dev.vitalwire.VitalwireApi
import dev.vitalwire.VitalwireException
import dev.vitalwire.initUrl
import java.io.File
import java.io.IOException
import java.util.UUID
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.flow.MutableStateFlow
import kotlinx.coroutines.flow.StateFlow
import kotlinx.coroutines.flow.asStateFlow
import kotlinx.coroutines.launch
import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.sync.withLock
import kotlinx.coroutines.withContext

/**
 * The list of a user's providers, and the connection that the user makes. It makes one connection at a time.
 *
 * Call [load] when the screen resumes, and [receive] with the redirect, for example in `onResume` and `onNewIntent` of an activity. Call
 * all functions on the thread of [scope].
 *
 * @param client the client of the user.
 * @param redirectUri URL that the consent page redirects to. It must be on the application's list of redirect URLs.
 * @param stateFile a file of this user that other applications cannot read. It contains the random state while the browser is open,
 *   because the system may end the process.
 * @param scope scope of the calls, on a single thread, such as `viewModelScope`.
 */
public class ConsentModel(
    private val client: VitalwireApi,
    private val redirectUri: String,
    private val stateFile: File,
    private val scope: CoroutineScope,
) {
    /** The providers to list. Defaults to [DEFAULT_PROVIDERS]. */
    public var providers: List<ProviderSlug> = DEFAULT_PROVIDERS

    /** Returns the user's id at a provider that requires it. Defaults to none. */
    public var userId: (ProviderSlug) -> String? = { null }

    private val shown = MutableStateFlow(ConsentState(ConsentPhase.LOADING, emptyList()))

    /** State of the screen. */
    public val state: StateFlow<ConsentState> = shown.asStateFlow()

    /** Runs one step at a time, in the order of the calls. */
    private val mutex = Mutex()
    private val steps = mutableListOf<Job>()

    /** The step that requests a consent URL and opens it. */
    private var connecting: Job? = null

    /** Whether the result of a connection was not yet visible at the last [load]. */
    private var isNewResult = false

    /**
     * Reads the list. Right after a redirect, it has no effect, so that the result of the connection stays visible. If the user returns
     * without a redirect, the list is shown again, and a later redirect is still accepted.
     */
    public fun load(): Job {
        val isConnecting = connecting?.isActive == true
        return step {
            if (!isConnecting && !isNewResult) read()
            isNewResult = false
        }
    }

    /**
     * Connects a provider: requests its consent URL with a random state and opens it. Has no effect while another connection is being made.
     *
     * @param open opens a URL in a browser, for example in a custom tab. May throw an exception if there is no browser.
     */
    public fun connect(provider: ProviderSlug, open: (url: String) -> Unit): Job {
        connecting?.takeIf { it.isActive }?.let { return it }
        if (shown.value.phase == ConsentPhase.WAITING) return step { }
        show(ConsentPhase.WAITING, provider)
        return step {
            // A list that was still being read has changed the state of the screen.
            show(ConsentPhase.WAITING, provider)
            isNewResult = false
            val state = "${UUID.randomUUID()}"
            val path = try {
                client.integrations.initUrl(provider) {
                    redirectUri = this@ConsentModel.redirectUri
                    this.state = state
                    providerUserId = userId(provider)
                }.path
            } catch (error: VitalwireException) {
                return@step fail(provider, ConsentFailure.of(error), error)
            }
            // Another URL could start another application.
            val page = path?.takeIf { WEB_ADDRESS.containsMatchIn(it) } ?: return@step fail(provider, ConsentFailure.REJECTED)
            try {
                withContext(Dispatchers.IO) { stateFile.writeText("$state\n${provider.text}") }
                open(page)
            } catch (error: Exception) {
                if (error is CancellationException) throw error
                fail(provider, ConsentFailure.BROWSER, error)
            }
        }.also { connecting = it }
    }

    /**
     * Reads a redirect and shows the result. Any other URL has no effect, because other applications can send one: a redirect of another
     * connection, or a second redirect of this one.
     */
    public fun receive(redirect: String): Job = step { accept(redirect) }

    /** Ends the current connection and reads the list. A later redirect is ignored. */
    public fun cancel(): Job {
        steps.forEach { it.cancel() }
        return step {
            forgetState()
            isNewResult = false
            read()
        }
    }

    private fun step(work: suspend () -> Unit): Job {
        steps.removeAll { it.isCompleted }
        return scope.launch { mutex.withLock { work() } }.also { steps += it }
    }

    private suspend fun accept(redirect: String) {
        val stored = withContext(Dispatchers.IO) { try { stateFile.readText() } catch (_: IOException) { "" } }
        val (state, slug) = stored.split("\n") + ""
        if (state.isEmpty() || slug.isEmpty()) {
            // A repeated redirect. The result stays visible.
            isNewResult = shown.value.run { provider != null && phase != ConsentPhase.WAITING }
            return
        }
        val provider = ProviderSlug(slug)
        val result = try {
            ConsentRedirect.parse(redirect, state).takeIf { (it.providerSlug ?: provider) == provider } ?: return
        } catch (_: VitalwireException) {
            return
        }
        isNewResult = true
        if (result.failure == null) {
            confirm(provider)
        } else {
            forgetState()
            show(ConsentPhase.REFUSED, provider)
        }
        // In a new process, the list has not been read yet.
        if (shown.value.providers.isEmpty()) try { readStates() } catch (_: VitalwireException) { }
    }

    private suspend fun read() {
        show(ConsentPhase.LOADING)
        try {
            readStates()
            // The user may have started a connection meanwhile.
            if (shown.value.phase == ConsentPhase.LOADING) show(ConsentPhase.READY)
        } catch (error: VitalwireException) {
            val failure = ConsentFailure.of(error).takeIf { it == ConsentFailure.SIGN_IN } ?: ConsentFailure.UNAVAILABLE
            if (shown.value.phase == ConsentPhase.LOADING) show(ConsentPhase.UNAVAILABLE, failure = failure, error = error)
        }
    }

    /** Shows the state of a new connection at the service. The redirect is not signed, so it proves nothing. */
    private suspend fun confirm(provider: ProviderSlug) {
        show(ConsentPhase.WAITING, provider)
        forgetState()
        val status = try {
            readStates()[provider]
        } catch (error: VitalwireException) {
            return fail(provider, ConsentFailure.UNCONFIRMED, error)
        }
        when (status) {
            ConsentStatus.CONNECTED -> show(ConsentPhase.CONNECTED, provider)
            ConsentStatus.BROKEN -> show(ConsentPhase.BROKEN, provider)
            else -> fail(provider, ConsentFailure.UNCONFIRMED)
        }
    }

    /** Reads the list, and returns the states of all connections of the user. */
    private suspend fun readStates(): Map<ProviderSlug, ConsentStatus> {
        val states = mutableMapOf<ProviderSlug, ConsentStatus>()
        for (integration in client.user.info().integratedProviders.orEmpty()) {
            val slug = integration.providerSlug ?: continue
            if (states[slug] == ConsentStatus.CONNECTED) continue
            states[slug] = if (integration.isIntegrationBroken == true) ConsentStatus.BROKEN else ConsentStatus.CONNECTED
        }
        val list = providers.map { ConsentProvider(it, states[it] ?: ConsentStatus.NOT_CONNECTED) }
        shown.value = shown.value.run { ConsentState(phase, list, provider, failure, error) }
        return states
    }

    private suspend fun fail(provider: ProviderSlug, failure: ConsentFailure, error: Exception? = null) {
        forgetState()
        show(ConsentPhase.FAILED, provider, failure, error)
    }

    private suspend fun forgetState() {
        withContext(Dispatchers.IO) { stateFile.delete() }
    }

    private fun show(
        phase: ConsentPhase, provider: ProviderSlug? = null, failure: ConsentFailure? = null, error: Exception? = null,
    ) {
        shown.value = ConsentState(phase, shown.value.providers, provider, failure, error)
    }

    public companion object {
        /** Providers with a consent page, except `ultrahuman`, which requires the user's e-mail address as the id. */
        @JvmField
        public val DEFAULT_PROVIDERS: List<ProviderSlug> = with(ProviderSlug) {
            listOf(
                COROS, DEXCOM, FITBIT, FREESTYLE_LIBRE, GARMIN, HUAWEI, LUNA, OMRON_EU, OMRON_US, OURA, POLAR, STRAVA, SUUNTO, WAHOO, WHOOP,
                WITHINGS,
            )
        }

        private val WEB_ADDRESS = Regex("^https?://", RegexOption.IGNORE_CASE)
    }
}
