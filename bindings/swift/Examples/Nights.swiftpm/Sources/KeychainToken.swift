#if canImport(Security)
    // --8<-- [start:program]
    import Foundation
    import Vitalwire

    /// A token, with the time at which it expires.
    struct KeychainToken: Codable {
        let text: String
        let expiresAt: Date

        static let item = KeychainItem(account: "access-token")

        /// Returns the stored token; `nil` if there is none, or the Keychain cannot be read now.
        static func load() -> KeychainToken? {
            guard let data = try? item.load() else { return nil }
            return try? JSONDecoder().decode(KeychainToken.self, from: data)
        }

        /// Replaces the stored token.
        func save() throws { try KeychainToken.item.save(JSONEncoder().encode(self)) }
    }

    /// Returns a client that uses the token in the Keychain. The client requests another token if there is none, or if the token
    /// expires or is rejected.
    ///
    /// - Parameter request: Requests a token from your server, and returns its text and lifetime in seconds.
    func keychainClient(
        _ options: ClientOptions, request: @escaping @Sendable () async throws -> (text: String, lifetime: Int)
    ) throws -> VitalwireClient {
        try VitalwireClient(
            options,
            tokenProvider: { reason in
                if reason == .missing, let kept = KeychainToken.load(), kept.expiresAt.timeIntervalSinceNow > 60 {
                    return AccessToken(kept.text, lifetime: .seconds(kept.expiresAt.timeIntervalSinceNow))
                }
                let fresh = try await request()
                // Without the Keychain, the next start of the app requests another token.
                try? KeychainToken(text: fresh.text, expiresAt: Date(timeIntervalSinceNow: Double(fresh.lifetime))).save()
                return AccessToken(fresh.text, lifetime: .seconds(fresh.lifetime))
            })
    }
    // --8<-- [end:program]
#endif
