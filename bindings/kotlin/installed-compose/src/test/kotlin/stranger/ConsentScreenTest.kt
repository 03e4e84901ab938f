package stranger

import android.content.Intent
import android.net.Uri
import androidx.browser.customtabs.CustomTabsIntent
import androidx.compose.runtime.CompositionLocalProvider
import androidx.compose.ui.graphics.toAwtImage
import androidx.compose.ui.platform.LocalDensity
import androidx.compose.ui.semantics.LiveRegionMode
import androidx.compose.ui.semantics.Role
import androidx.compose.ui.semantics.SemanticsActions
import androidx.compose.ui.semantics.SemanticsProperties
import androidx.compose.ui.test.ComposeUiTest
import androidx.compose.ui.test.ExperimentalTestApi
import androidx.compose.ui.test.SemanticsMatcher
import androidx.compose.ui.test.assert
import androidx.compose.ui.test.assertCountEquals
import androidx.compose.ui.test.assertIsEnabled
import androidx.compose.ui.test.assertIsNotEnabled
import androidx.compose.ui.test.captureToImage
import androidx.compose.ui.test.hasText
import androidx.compose.ui.test.onAllNodesWithText
import androidx.compose.ui.test.onNodeWithText
import androidx.compose.ui.test.onRoot
import androidx.compose.ui.test.performClick
import androidx.compose.ui.test.runDesktopComposeUiTest
import androidx.compose.ui.unit.Density
import dev.vitalwire.MockResponse
import dev.vitalwire.MockResponses
import dev.vitalwire.ProviderSlug
import dev.vitalwire.VitalwireApi
import dev.vitalwire.VitalwireClient
import dev.vitalwire.consent.ConsentModel
import dev.vitalwire.testing.Call
import dev.vitalwire.testing.Failure
import dev.vitalwire.testing.Sandbox
import dev.vitalwire.testing.add
import dev.vitalwire.testing.clear
import dev.vitalwire.testing.failing
import dev.vitalwire.testing.mock
import java.awt.EventQueue
import java.io.File
import java.net.HttpURLConnection
import java.net.URI
import java.util.concurrent.Executor
import javax.imageio.ImageIO
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.asCoroutineDispatcher
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir

/** Runs the activity of the sample application, and walks the consent flow of the sandbox. Writes pictures to `target/pictures`. */
@OptIn(ExperimentalTestApi::class)
class ConsentScreenTest {
    @TempDir
    lateinit var folder: File

    @Test
    fun `the user connects providers`() = Sandbox.start().use { sandbox ->
        show(sandbox.client) { resume ->
            val row = onNodeWithText("Luna")
            row.assert(hasText("Not connected") and hasText("Connect"))
            row.assert(SemanticsMatcher.expectValue(SemanticsProperties.Role, Role.Button))
            row.assert(SemanticsMatcher("the action is named") { it.config[SemanticsActions.OnClick].label == "Connect" })
            onNodeWithText("Garmin").assert(hasText("Connected") and !SemanticsMatcher.keyIsDefined(SemanticsActions.OnClick))
            picture("list")

            row.performClick()
            waitForText("Waiting for Luna")
            val message = onNodeWithText("Waiting for Luna")
            message.assert(SemanticsMatcher.expectValue(SemanticsProperties.LiveRegion, LiveRegionMode.Polite))
            row.assertIsNotEnabled()
            picture("waiting")
            resume(answer("refuse"))
            waitForText("No connection was made. You did not agree, or Luna could not complete the connection.")
            picture("refused")

            row.performClick()
            val redirect = answer("allow")
            change(sandbox, "broken")
            resume(redirect)
            waitForText("The connection with Luna is broken. Connect again.")
            row.assert(hasText("Connection broken") and hasText("Connect again"))
            picture("broken")

            row.performClick()
            resume(answer("allow"))
            waitForText("Luna is connected.")
            onAllNodesWithText("Connect again").assertCountEquals(0)
            picture("connected")

            // The user closes a page, and ends a connection.
            onNodeWithText("Polar").performClick()
            waitForText("Waiting for Polar")
            answer("refuse")
            resume(null)
            waitUntil(timeoutMillis = TIMEOUT) { onAllNodesWithText("Waiting for Polar").fetchSemanticsNodes().isEmpty() }
            waitForText("Polar")
            onNodeWithText("Polar").assertIsEnabled().performClick()
            waitForText("Cancel")
            answer("refuse")
            onNodeWithText("Cancel").performClick()
            waitUntil(timeoutMillis = TIMEOUT) { onAllNodesWithText("Cancel").fetchSemanticsNodes().isEmpty() }
        }
    }

    @Test
    fun `an offline list can be read again`() {
        val responses = MockResponses.failing(Failure.TRANSPORT)
        show(VitalwireClient.mock(responses) { maxRetries = 0 }) {
            waitForText("The service cannot be reached. Check your network and try again later.")
            picture("offline")
            responses.clear(Call.USER_INFO)
            responses.add(Call.USER_INFO, MockResponse.json("{}"))
            onNodeWithText("Try again").performClick()
            waitForText("Luna")
        }
    }

    @Test
    fun `large text is shown completely`() = Sandbox.start().use { sandbox ->
        show(sandbox.client, fontScale = 2f) {
            onNodeWithText("Luna").performClick()
            waitForText("Waiting for Luna")
            picture("large-text")
        }
    }

    /** Starts the activity and waits for the list, or for the failure. Passes a function that returns to the activity. */
    private fun show(client: VitalwireApi, fontScale: Float = 1f, work: ComposeUiTest.(resume: (Intent?) -> Unit) -> Unit) {
        CustomTabsIntent.opened.clear()
        // Compose for desktops has the event queue as its main thread.
        val scope = CoroutineScope(Executor { EventQueue.invokeLater(it) }.asCoroutineDispatcher())
        val model = ConsentModel(client, "nights://app.example.org/connected", File(folder, "consent"), scope)
        model.providers = with(ProviderSlug) { listOf(LUNA, GARMIN, FREESTYLE_LIBRE, OMRON_EU, POLAR) }
        val activity = ConnectionsActivity()
        runDesktopComposeUiTest(width = 720, height = 1000) {
            EventQueue.invokeAndWait { activity.start(SampleApplication(model), Intent(null)) }
            setContent { CompositionLocalProvider(LocalDensity provides Density(2f, fontScale)) { activity.content() } }
            waitUntil(timeoutMillis = TIMEOUT) { onAllNodesWithText("Reading your connections").fetchSemanticsNodes().isEmpty() }
            work { intent -> EventQueue.invokeAndWait { activity.resume(intent) } }
        }
    }

    private fun ComposeUiTest.waitForText(text: String) =
        waitUntil(timeoutMillis = TIMEOUT) { onAllNodesWithText(text).fetchSemanticsNodes().isNotEmpty() }

    private fun ComposeUiTest.picture(name: String) {
        val file = File("target/pictures/$name.png").apply { parentFile.mkdirs() }
        ImageIO.write(onRoot().captureToImage().toAwtImage(), "png", file)
    }

    /** Waits for the consent page in the browser, presses a button and returns the redirect. */
    private fun ComposeUiTest.answer(answer: String): Intent {
        waitUntil(timeoutMillis = TIMEOUT) { CustomTabsIntent.opened.isNotEmpty() }
        val page = URI(CustomTabsIntent.opened.removeAt(0)).toURL()
        val token = checkNotNull(Regex("name=\"form_token\" value=\"([0-9a-f]+)\"").find(page.readText())) { "the page has no form" }
        val connection = page.openConnection() as HttpURLConnection
        connection.instanceFollowRedirects = false
        connection.doOutput = true
        connection.outputStream.use { it.write("form_token=${token.groupValues[1]}&answer=$answer".toByteArray()) }
        return Intent(Uri.parse(checkNotNull(connection.getHeaderField("Location")) { "status ${connection.responseCode}" }))
    }

    private fun change(sandbox: Sandbox, state: String) {
        val connection = URI("${sandbox.baseUrl}/_sandbox/integrations").toURL().openConnection() as HttpURLConnection
        connection.doOutput = true
        connection.setRequestProperty("content-type", "application/json")
        val body = """{"user_id": "person-1", "provider_slug": "luna", "state": "$state"}"""
        connection.outputStream.use { it.write(body.toByteArray()) }
        check(connection.responseCode == 200) { "status ${connection.responseCode}" }
    }

    private companion object {
        const val TIMEOUT = 20_000L
    }
}
