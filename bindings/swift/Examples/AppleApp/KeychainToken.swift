#if canImport(Security)
    // --8<-- [start:program]
    import Foundation
    import Security
    import Vitalwire

    /// A token in the Keychain, with the time at which it expires.
    struct KeychainToken: Codable {
        let text: String
        let expiresAt: Date

        private static var item: [String: Any] {
            [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: "org.example.nights",
                kSecAttrAccount as String: "access-token",
            ]
        }

        /// Returns the stored token; `nil` if there is none.
        static func load() -> KeychainToken? {
            var found: CFTypeRef?
            let query = item.merging([kSecReturnData as String: true]) { $1 }
            guard SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess, let data = found as? Data else { return nil }
            return try? JSONDecoder().decode(KeychainToken.self, from: data)
        }

        /// Replaces the stored token. Background work can read the token after the first unlock. Backups do not contain it.
        func save() throws {
            KeychainToken.delete()
            let values: [String: Any] = [
                kSecValueData as String: try JSONEncoder().encode(self),
                kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
            ]
            let status = SecItemAdd(KeychainToken.item.merging(values) { $1 } as CFDictionary, nil)
            guard status == errSecSuccess else { throw NSError(domain: NSOSStatusErrorDomain, code: Int(status)) }
        }

        /// Removes the stored token, for example when the user signs out.
        static func delete() { _ = SecItemDelete(item as CFDictionary) }
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
