import Foundation
import Vitalwire

/// The texts of a consent screen. Replace them to translate the screen. Sentences contain `{provider}` in place of the provider's name.
public struct ConsentTexts: Sendable {
    /// Name of a provider. Defaults to the slug in capitalized words.
    public var name: @Sendable (ProviderSlug) -> String = { provider in
        let words = provider.rawValue.split(separator: "_")
        return words.map { $0.count == 2 ? $0.uppercased() : $0.capitalized }.joined(separator: " ")
    }

    // The list.

    /// Shown while the list is read.
    public var loading = "Reading your connections"
    /// State of a provider that the user has not connected.
    public var notConnected = "Not connected"
    /// State of a connected provider.
    public var connected = "Connected"
    /// State of a provider whose connection is broken.
    public var broken = "Connection broken"
    /// Action of a provider that is not connected.
    public var connect = "Connect"
    /// Action of a provider whose connection is broken.
    public var reconnect = "Connect again"
    /// Button that ends the current connection.
    public var cancel = "Cancel"
    /// Button that reads the list again.
    public var retry = "Try again"

    // The result of a connection.

    /// Shown while the user is on the consent page.
    public var waitingMessage = "Waiting for {provider}"
    /// Shown after the user has connected a provider.
    public var connectedMessage = "{provider} is connected."
    /// Shown if the redirect reports an error.
    public var refusedMessage = "No connection was made. You did not agree, or {provider} could not complete the connection."
    /// Shown if a new connection is broken.
    public var brokenMessage = "The connection with {provider} is broken. Connect again."

    // Failures.

    /// Shown if the device is offline or the service cannot respond.
    public var unavailable = "The service cannot be reached. Check your network and try again later."
    /// Shown if the user must sign in.
    public var signIn = "Sign in again."
    /// Shown if the service rejects the connection.
    public var rejected = "{provider} cannot be connected in this app."
    /// Shown if the browser does not open.
    public var browser = "The page of {provider} cannot be opened."
    /// Shown after a redirect that does not belong to the connection.
    public var otherRedirect = "{provider} is not connected. The response does not belong to this connection. Try again."
    /// Shown if the service does not list a new connection yet.
    public var unconfirmed = "The connection with {provider} is not confirmed yet. Try again later."

    /// Creates the texts in English.
    public init() {}

    /// Returns the text for a provider's state.
    public func status(_ status: ConsentProvider.Status) -> String {
        switch status {
        case .notConnected: notConnected
        case .connected: connected
        case .broken: broken
        }
    }

    /// Returns the message for a step; `nil` for ``ConsentPhase/ready``.
    public func sentence(_ phase: ConsentPhase) -> String? {
        switch phase {
        case .ready: nil
        case .loading: loading
        case .unavailable(let failure): text(failure)
        case .waiting(let provider): fill(waitingMessage, provider)
        case .connected(let provider): fill(connectedMessage, provider)
        case .refused(let provider): fill(refusedMessage, provider)
        case .broken(let provider): fill(brokenMessage, provider)
        case .failed(let provider, let failure): fill(text(failure), provider)
        }
    }

    private func text(_ failure: ConsentFailure) -> String {
        switch failure {
        case .unavailable: unavailable
        case .signIn: signIn
        case .rejected: rejected
        case .browser: browser
        case .otherRedirect: otherRedirect
        case .unconfirmed: unconfirmed
        }
    }

    private func fill(_ sentence: String, _ provider: ProviderSlug) -> String {
        sentence.replacingOccurrences(of: "{provider}", with: name(provider))
    }
}
