import Foundation

extension ClientOptions {
    /// A client certificate with its chain and its private key, in PEM format. The key must not be encrypted.
    public enum ClientCertificate: Hashable, Sendable {
        /// A PEM text. Read it from the keychain, for example.
        case pem(String)
        /// A PEM file. It is read when the client is created. Make it readable only by its owner.
        case file(URL)

        var pem: String? {
            if case .pem(let text) = self { text } else { nil }
        }

        var file: URL? {
            if case .file(let url) = self { url } else { nil }
        }
    }
}

extension ClientOptions.ClientCertificate: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The type name, without the private key.
    public var description: String { "ClientCertificate(..)" }

    /// Same as `description`.
    public var debugDescription: String { description }

    /// An empty mirror, so that `dump` shows no values.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
