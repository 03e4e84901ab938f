#if canImport(AuthenticationServices)
    // --8<-- [start:program]
    import AuthenticationServices
    import Foundation
    import Vitalwire

    /// Connects a provider: opens its consent page in a browser sheet and parses the redirect.
    @MainActor final class ConsentSession: NSObject, ASWebAuthenticationPresentationContextProviding {
        private let window: ASPresentationAnchor
        private var session: ASWebAuthenticationSession?

        init(window: ASPresentationAnchor) { self.window = window }

        func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor { window }

        /// Returns whether the provider is connected.
        ///
        /// - Throws: `ASWebAuthenticationSessionError` with code `canceledLogin` if the user closes the sheet, or a `VitalwireError`.
        func connect(_ provider: ProviderSlug, client: VitalwireClient) async throws -> Bool {
            let state = UUID().uuidString
            let start = try await client.integrations.initURL(provider, redirectURI: "nights://connected", state: state)
            guard let page = start.path.flatMap(URL.init(string:)) else { return false }
            let url = try await redirect(from: page, to: "nights")
            let redirect = try ConsentRedirect(url: url, expectedState: state)
            return redirect.providerSlug == provider && redirect.failure == nil
        }

        private func redirect(from page: URL, to scheme: String) async throws -> URL {
            try await withCheckedThrowingContinuation { continuation in
                // The system may call the handler on any thread, so it must not be isolated.
                let session = ASWebAuthenticationSession(url: page, callbackURLScheme: scheme) { @Sendable url, error in
                    if let url {
                        continuation.resume(returning: url)
                    } else {
                        continuation.resume(throwing: error ?? URLError(.cancelled))
                    }
                }
                session.presentationContextProvider = self
                self.session = session
                session.start()
            }
        }
    }
    // --8<-- [end:program]
#endif
