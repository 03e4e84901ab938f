package dev.vitalwire.consent

import dev.vitalwire.ProviderSlug
import java.util.Locale

/** The texts of a consent screen. Replace them to translate the screen. Sentences contain `{provider}` in place of the provider's name. */
public class ConsentTexts {
    /** Name of a provider. Defaults to the slug in capitalized words. */
    public var name: (ProviderSlug) -> String = { provider ->
        provider.text.split("_").joinToString(" ") { word ->
            if (word.length == 2) word.uppercase(Locale.ROOT) else word.replaceFirstChar { it.titlecase(Locale.ROOT) }
        }
    }

    // The list.

    /** Shown while the list is read. */
    public var loading: String = "Reading your connections"

    /** State of a provider that the user has not connected. */
    public var notConnected: String = "Not connected"

    /** State of a connected provider. */
    public var connected: String = "Connected"

    /** State of a provider whose connection is broken. */
    public var broken: String = "Connection broken"

    /** Action of a provider that is not connected. */
    public var connect: String = "Connect"

    /** Action of a provider whose connection is broken. */
    public var reconnect: String = "Connect again"

    /** Button that ends the current connection. */
    public var cancel: String = "Cancel"

    /** Button that reads the list again. */
    public var retry: String = "Try again"

    // The result of a connection.

    /** Shown while the user is on the consent page. */
    public var waitingMessage: String = "Waiting for {provider}"

    /** Shown after the user has connected a provider. */
    public var connectedMessage: String = "{provider} is connected."

    /** Shown if the redirect reports an error. */
    public var refusedMessage: String = "No connection was made. You did not agree, or {provider} could not complete the connection."

    /** Shown if a new connection is broken. */
    public var brokenMessage: String = "The connection with {provider} is broken. Connect again."

    // Failures.

    /** Shown if the device is offline or the service cannot respond. */
    public var unavailable: String = "The service cannot be reached. Check your network and try again later."

    /** Shown if the user must sign in. */
    public var signIn: String = "Sign in again."

    /** Shown if the service rejects the connection. */
    public var rejected: String = "{provider} cannot be connected in this app."

    /** Shown if no browser opens. */
    public var browser: String = "The page of {provider} cannot be opened."


    /** Shown if the service does not list a new connection yet. */
    public var unconfirmed: String = "The connection with {provider} is not confirmed yet. Try again later."

    /** Returns the text for a provider's state. */
    public fun status(status: ConsentStatus): String = when (status) {
        ConsentStatus.NOT_CONNECTED -> notConnected
        ConsentStatus.CONNECTED -> connected
        ConsentStatus.BROKEN -> broken
    }

    /** Returns the message for a state of the screen; null for [ConsentPhase.READY]. */
    public fun sentence(state: ConsentState): String? = when (state.phase) {
        ConsentPhase.READY -> null
        ConsentPhase.LOADING -> loading
        ConsentPhase.WAITING -> waitingMessage
        ConsentPhase.CONNECTED -> connectedMessage
        ConsentPhase.REFUSED -> refusedMessage
        ConsentPhase.BROKEN -> brokenMessage
        ConsentPhase.UNAVAILABLE, ConsentPhase.FAILED -> when (state.failure) {
            ConsentFailure.SIGN_IN -> signIn
            ConsentFailure.REJECTED -> rejected
            ConsentFailure.BROWSER -> browser

            ConsentFailure.UNCONFIRMED -> unconfirmed
            ConsentFailure.UNAVAILABLE, null -> unavailable
        }
    }?.replace("{provider}", state.provider?.let(name).orEmpty())
}
