#if canImport(Security)
    // --8<-- [start:program]
    import Foundation
    import Vitalwire

    /// A token, with the time at which it expires.
    struct KeychainToken: Codable {
        let text: String
        let expiresAt: Date

        /// Returns the item of a user. The Keychain keeps items when the app is deleted, so another user must not get the token.
        static func item(of user: String) -> KeychainItem { KeychainItem(account: "access-token of \(user)") }

        /// Returns the stored token; `nil` if there is none, or the Keychain cannot be read now.
        static func load(of user: String) -> KeychainToken? {
            guard let data = try? item(of: user).load() else { return nil }
            return try? JSONDecoder().decode(KeychainToken.self, from: data)
        }

        /// Replaces the stored token.
        func save(of user: String) throws { try KeychainToken.item(of: user).save(JSONEncoder().encode(self)) }
    }

    /// Returns a client that uses the user's token in the Keychain. The client requests another token if there is none, or if the token
    /// expires or is rejected.
    func keychainClient(user: String, session: String) throws -> VitalwireClient {
        try VitalwireClient(
            ClientOptions(baseURL: Address.service),
            tokenProvider: { reason in
                if reason == .missing, let kept = KeychainToken.load(of: user), kept.expiresAt.timeIntervalSinceNow > 60 {
                    return AccessToken(kept.text, lifetime: .seconds(kept.expiresAt.timeIntervalSinceNow))
                }
                let reply = try await requestToken(session: session)
                let expiresAt = Date(timeIntervalSinceNow: Double(reply.expiresIn))
                // Without the Keychain, the next start of the app requests another token.
                try? KeychainToken(text: reply.accessToken, expiresAt: expiresAt).save(of: user)
                return AccessToken(reply.accessToken, lifetime: .seconds(reply.expiresIn))
            })
    }
    // --8<-- [end:program]
#endif
