import Foundation
import Vitalwire

#if canImport(Combine)
    import Combine
#endif

/// The list of a user's providers, and the connection that the user makes.
///
/// A model makes one connection at a time. If the system ends the application meanwhile, the redirect is lost. At the next start, the list
/// shows if the provider is connected.
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
    public private(set) var phase = ConsentPhase.loading {
        didSet { if phase != .loading, !isWaiting { settledPhase = phase } }
    }

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
    /// The connection that waits for its redirect.
    private var flow: Flow?
    /// The connection whose result is being read.
    private var confirming: Flow?
    /// Number of requests for the list. Only the response to the last one counts.
    private var reads = 0
    /// The last phase other than `loading` and `waiting`, shown again if a load is cancelled.
    private var settledPhase = ConsentPhase.loading
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
    ///     application's list of redirect URLs.
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
        let result = await read()
        // The user may have started a connection meanwhile.
        guard let result, phase == .loading else { return }
        do {
            _ = try result.get()
            phase = .ready
        } catch is CancellationError {
            phase = settledPhase
        } catch {
            lastError = error
            phase = .unavailable(ConsentFailure(error) == .signIn ? .signIn : .unavailable)
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
            await confirm(flow)
        } else {
            phase = .refused(flow.provider)
        }
        return true
    }

    /// Ends the current connection and reads the list. A later redirect is ignored.
    public func cancel() async {
        guard isWaiting else { return }
        (flow, confirming, phase) = (nil, nil, .loading)
        await load()
    }

    private func end(_ flow: Flow, _ phase: ConsentPhase) {
        guard self.flow == flow else { return }
        (self.flow, self.phase) = (nil, phase)
    }

    /// Shows the state of a new connection at the service. The redirect is not signed, so it proves nothing.
    private func confirm(_ flow: Flow) async {
        (confirming, phase) = (flow, .waiting(flow.provider))
        let result = await read()
        // The user may have cancelled.
        guard confirming == flow else { return }
        confirming = nil
        do {
            switch try result?.get()[flow.provider] {
            case .connected: phase = .connected(flow.provider)
            case .broken: phase = .broken(flow.provider)
            case .notConnected, nil: phase = .failed(flow.provider, .unconfirmed)
            }
        } catch is CancellationError {
            // The view has disappeared. It loads the list when it appears again.
            phase = .loading
        } catch {
            lastError = error
            phase = .failed(flow.provider, .unconfirmed)
        }
    }

    /// Reads the list. Returns the states of all connections of the user; `nil` if the list was requested again meanwhile.
    private func read() async -> Result<[ProviderSlug: ConsentProvider.Status], any Error>? {
        reads += 1
        let number = reads
        do {
            let integrations = try await client.user.info().integratedProviders ?? []
            guard number == reads else { return nil }
            var states: [ProviderSlug: ConsentProvider.Status] = [:]
            for integration in integrations {
                guard let slug = integration.providerSlug, states[slug] != .connected else { continue }
                states[slug] = integration.isIntegrationBroken == true ? .broken : .connected
            }
            providers = slugs.map { ConsentProvider(slug: $0, status: states[$0] ?? .notConnected) }
            return .success(states)
        } catch {
            return number == reads ? .failure(error) : nil
        }
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
