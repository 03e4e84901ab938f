import Foundation

extension ClientOptions {
    /// The proxy of a client.
    public enum Proxy: Hashable, Sendable {
        /// No proxy, not even that of the environment or the system.
        case disabled
        /// A proxy with an `http` or `https` URL, which has a user and password if the proxy requires them.
        case url(URL)

        var url: URL? {
            if case .url(let url) = self { url } else { nil }
        }
    }
}

extension ClientOptions.Proxy: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The type name, without the URL, which may contain a password.
    public var description: String { "Proxy(..)" }

    /// Same as `description`.
    public var debugDescription: String { description }

    /// An empty mirror, so that `dump` shows no values.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
