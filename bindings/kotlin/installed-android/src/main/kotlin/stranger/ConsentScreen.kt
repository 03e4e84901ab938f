package stranger

import androidx.compose.foundation.clickable
import androidx.compose.foundation.layout.Column
import androidx.compose.foundation.layout.padding
import androidx.compose.foundation.lazy.LazyColumn
import androidx.compose.foundation.lazy.items
import androidx.compose.material3.ListItem
import androidx.compose.material3.MaterialTheme
import androidx.compose.material3.OutlinedButton
import androidx.compose.material3.Text
import androidx.compose.runtime.Composable
import androidx.compose.ui.Modifier
import androidx.compose.ui.semantics.LiveRegionMode
import androidx.compose.ui.semantics.Role
import androidx.compose.ui.semantics.liveRegion
import androidx.compose.ui.semantics.semantics
import androidx.compose.ui.unit.dp
import dev.vitalwire.ProviderSlug
import dev.vitalwire.consent.ConsentPhase
import dev.vitalwire.consent.ConsentProvider
import dev.vitalwire.consent.ConsentState
import dev.vitalwire.consent.ConsentStatus
import dev.vitalwire.consent.ConsentTexts

/** List of the providers that the user can connect, below the sentence of the current step. */
@Composable
fun ConsentScreen(
    state: ConsentState,
    onConnect: (ProviderSlug) -> Unit,
    onCancel: () -> Unit,
    onRetry: () -> Unit,
    modifier: Modifier = Modifier,
    texts: ConsentTexts = ENGLISH,
) {
    Column(modifier) {
        Column(Modifier.padding(16.dp)) {
            // TalkBack reads a new sentence aloud.
            Text(texts.sentence(state).orEmpty(), Modifier.semantics { liveRegion = LiveRegionMode.Polite })
            if (state.phase == ConsentPhase.WAITING) OutlinedButton(onCancel) { Text(texts.cancel) }
            if (state.phase == ConsentPhase.UNAVAILABLE) OutlinedButton(onRetry) { Text(texts.retry) }
        }
        LazyColumn {
            items(state.providers, key = { it.slug.text }) { ProviderItem(it, texts, state.phase != ConsentPhase.WAITING, onConnect) }
        }
    }
}

private val ENGLISH = ConsentTexts()

/** Name, state and action of a provider. The state has a text, not only a color. */
@Composable
private fun ProviderItem(provider: ConsentProvider, texts: ConsentTexts, isEnabled: Boolean, onConnect: (ProviderSlug) -> Unit) {
    val action = when (provider.status) {
        ConsentStatus.CONNECTED -> null
        ConsentStatus.BROKEN -> texts.reconnect
        ConsentStatus.NOT_CONNECTED -> texts.connect
    }
    val colors = MaterialTheme.colorScheme
    val tap = Modifier.clickable(isEnabled, onClickLabel = action, role = Role.Button) { onConnect(provider.slug) }
    ListItem(
        headlineContent = { Text(texts.name(provider.slug)) },
        supportingContent = {
            val isBroken = provider.status == ConsentStatus.BROKEN
            Text(texts.status(provider.status), color = if (isBroken) colors.error else colors.onSurfaceVariant)
        },
        trailingContent = action?.let { { Text(it, color = if (isEnabled) colors.primary else colors.onSurfaceVariant) } },
        modifier = if (action == null) Modifier.semantics(mergeDescendants = true) {} else tap,
    )
}
