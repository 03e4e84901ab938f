import Foundation
import Vitalwire

#if canImport(Combine)
    import Combine
#endif

/// The list of a user's providers, and the connection that the user makes.
///
/// A model makes one connection at a time. If the system ends the application meanwhile, the redirect is lost. The list of the next start
/// shows whether the provider is connected.
@MainActor public final class ConsentModel {
    /// Providers with a consent page, except `ultrahuman`, which requires the user's e-mail address as the id.
    public nonisolated static let defaultProviders: [ProviderSlug] = [
        .coros, .dexcom, .fitbit, .freestyleLibre, .garmin, .huawei, .luna, .omronEu, .omronUs, .oura, .polar, .strava, .suunto, .wahoo,
        .whoop, .withings,
    ]

    /// The current step.
    #if canImport(Combine)
        @Published
    #endif
    public private(set) var phase = ConsentPhase.loading

    /// The providers; empty until the list has been read once.
    #if canImport(Combine)
        @Published
    #endif
    public private(set) var providers: [ConsentProvider] = []

    /// The last error, for logs.
    public private(set) var lastError: (any Error)?

    /// The URL that the consent page redirects to.
    public let redirectURI: String

    private let client: VitalwireClient
    private let slugs: [ProviderSlug]
    private let userID: (ProviderSlug) -> String?
    private var flow: Flow?

    /// A connection that waits for its redirect.
    private struct Flow: Equatable {
        let provider: ProviderSlug
        let state = UUID().uuidString
    }

    /// Creates a model.
    ///
    /// - Parameters:
    ///   - client: The client of the user.
    ///   - redirectURI: The URL that the consent page redirects to, such as `nights://app.example.org/connected`. It must be on the
    ///     list of the application.
    ///   - providers: The providers to list. Defaults to ``defaultProviders``.
    ///   - userID: Returns the user's id at a provider that requires it. Defaults to none.
    public init(
        client: VitalwireClient, redirectURI: String, providers: [ProviderSlug] = ConsentModel.defaultProviders,
        userID: @escaping (ProviderSlug) -> String? = { _ in nil }
    ) {
        (self.client, self.redirectURI, slugs, self.userID) = (client, redirectURI, providers, userID)
    }

    /// Whether a connection is being made.
    public var isWaiting: Bool { if case .waiting = phase { true } else { false } }

    /// Reads the list. Has no effect while a connection is being made.
    public func load() async {
        guard !isWaiting else { return }
        phase = .loading
        do {
            try await read()
            // The user may have started a connection meanwhile.
            if phase == .loading { phase = .ready }
        } catch is CancellationError {
            // The view has disappeared. It loads the list when it appears again.
        } catch {
            lastError = error
            if phase == .loading { phase = .unavailable(ConsentFailure(error) == .signIn ? .signIn : .unavailable) }
        }
    }

    /// Connects a provider: requests its consent URL with a random state, opens it and reads the redirect. Returns after the end of the
    /// connection. Has no effect while another connection is being made.
    ///
    /// - Parameters:
    ///   - provider: The provider.
    ///   - open: Opens the page and returns the redirect. Throws `CancellationError` if the user closes the page.
    public func connect(_ provider: ProviderSlug, open: @MainActor (_ page: URL) async throws -> URL) async {
        guard !isWaiting else { return }
        let flow = Flow(provider: provider)
        (self.flow, phase) = (flow, .waiting(provider))
        do {
            let start = try await client.integrations.initURL(
                provider, redirectURI: redirectURI, state: flow.state, providerUserID: userID(provider))
            guard self.flow == flow else { return }
            guard let page = start.path.flatMap(URL.init(string:)), ["https", "http"].contains(page.scheme?.lowercased()) else {
                return end(flow, .failed(provider, .rejected))
            }
            let redirect = try await open(page)
            if await !receive(redirect) { end(flow, .failed(provider, .otherRedirect)) }
        } catch is CancellationError {
            if self.flow == flow { await cancel() }
        } catch {
            lastError = error
            end(flow, .failed(provider, ConsentFailure(error)))
        }
    }

    /// Reads a redirect that reached the application in another way, such as `onOpenURL`.
    ///
    /// - Returns: Whether the redirect belongs to the current connection. Otherwise the model does not change.
    @discardableResult public func receive(_ redirect: URL) async -> Bool {
        guard let flow, let result = try? ConsentRedirect(url: redirect, expectedState: flow.state),
            (result.providerSlug ?? flow.provider) == flow.provider
        else { return false }
        // A state is used once.
        self.flow = nil
        if result.failure == nil {
            await confirm(flow.provider)
        } else {
            phase = .refused(flow.provider)
        }
        return true
    }

    /// Ends the current connection and reads the list. A later redirect is ignored.
    public func cancel() async {
        guard isWaiting else { return }
        (flow, phase) = (nil, .loading)
        await load()
    }

    private func end(_ flow: Flow, _ phase: ConsentPhase) {
        guard self.flow == flow else { return }
        (self.flow, self.phase) = (nil, phase)
    }

    /// Shows the state of a new connection at the service. The redirect is not signed, so it proves nothing.
    private func confirm(_ provider: ProviderSlug) async {
        let status: ConsentProvider.Status
        do {
            status = try await read()[provider] ?? .notConnected
        } catch {
            (lastError, status) = (error, .notConnected)
        }
        phase =
            switch status {
            case .connected: .connected(provider)
            case .broken: .broken(provider)
            case .notConnected: .failed(provider, .unconfirmed)
            }
    }

    /// Reads the list, and returns the states of all connections of the user.
    @discardableResult private func read() async throws -> [ProviderSlug: ConsentProvider.Status] {
        var states: [ProviderSlug: ConsentProvider.Status] = [:]
        for integration in try await client.user.info().integratedProviders ?? [] {
            guard let slug = integration.providerSlug, states[slug] != .connected else { continue }
            states[slug] = integration.isIntegrationBroken == true ? .broken : .connected
        }
        providers = slugs.map { ConsentProvider(slug: $0, status: states[$0] ?? .notConnected) }
        return states
    }
}

#if canImport(Combine)
    extension ConsentModel: ObservableObject {}
#endif

extension ConsentModel: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The type name, without values.
    public nonisolated var description: String { "ConsentModel(..)" }

    /// Same as `description`.
    public nonisolated var debugDescription: String { description }

    /// An empty mirror, so that `dump` shows no values.
    public nonisolated var customMirror: Mirror { Mirror(self, children: [:]) }
}
