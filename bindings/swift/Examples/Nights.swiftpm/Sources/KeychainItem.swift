#if canImport(Security)
    // --8<-- [start:program]
    import Foundation
    import Security

    /// Bytes in the Keychain. Background work can read them after the first unlock of the device. They cannot be restored to another
    /// device.
    struct KeychainItem: Sendable {
        let account: String

        private var query: [String: Any] {
            [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: "org.example.nights",
                kSecAttrAccount as String: account,
            ]
        }

        /// Returns the bytes; `nil` if there are none.
        ///
        /// - Throws: An error if the Keychain cannot be read now, for example before the first unlock.
        func load() throws -> Data? {
            var found: CFTypeRef?
            let status = SecItemCopyMatching(query.merging([kSecReturnData as String: true]) { $1 } as CFDictionary, &found)
            if status == errSecItemNotFound { return nil }
            guard status == errSecSuccess, let data = found as? Data else { throw KeychainItem.error(status) }
            return data
        }

        /// Replaces the bytes.
        func save(_ data: Data) throws {
            delete()
            let values: [String: Any] = [
                kSecValueData as String: data,
                kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
            ]
            let status = SecItemAdd(query.merging(values) { $1 } as CFDictionary, nil)
            guard status == errSecSuccess else { throw KeychainItem.error(status) }
        }

        /// Removes the bytes, for example when the user signs out.
        func delete() { _ = SecItemDelete(query as CFDictionary) }

        private static func error(_ status: OSStatus) -> any Error { NSError(domain: NSOSStatusErrorDomain, code: Int(status)) }
    }

    extension KeychainItem {
        /// Returns the key of the digests in the states of syncs. Creates it at the first start.
        static func syncSecret() throws -> Data {
            let item = KeychainItem(account: "sync-secret")
            if let secret = try item.load() { return secret }
            let secret = Data((0..<32).map { _ in UInt8.random(in: .min ... .max) })
            try item.save(secret)
            return secret
        }
    }
    // --8<-- [end:program]
#endif
