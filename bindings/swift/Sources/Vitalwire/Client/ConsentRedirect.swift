import Foundation
internal import VitalwireFFI

/// The result of a consent flow, read from the URL that the browser returns to.
///
/// The URL is not signed. Only the state connects it to the flow that your application started.
public struct ConsentRedirect: Hashable, Sendable {
    /// User id from the service, unchanged.
    public let userID: String?
    /// Provider that the user chose.
    public let providerSlug: ProviderSlug?
    /// State from the URL.
    public let state: String?
    /// Reason for a failed integration; `nil` if the provider is connected. Anyone can forge a URL: escape the reason before showing it.
    public let failure: String?
    /// All other query parameters in order, including repeated ones.
    public let extra: [URLQueryItem]

    /// Parses the URL that the browser returned to.
    ///
    /// - Parameters:
    ///   - url: The URL, of any scheme, such as an application's own.
    ///   - expectedState: The state that the flow started with. Pass `nil` only if it started without one; a forged URL is then
    ///     accepted.
    /// - Throws: ``VitalwireError`` of kind ``ErrorKind/signature`` if the state does not match, of kind ``ErrorKind/decode`` if the
    ///   URL does not come from a consent flow.
    public init(url: URL, expectedState: String?) throws {
        try self.init(text: url.absoluteString, expectedState: expectedState)
    }

    /// Parses a URL that was received as text.
    ///
    /// - Parameters:
    ///   - text: A complete URL, a path with its query, or a query.
    ///   - expectedState: The state that the flow started with; see ``init(url:expectedState:)``.
    /// - Throws: The same errors as ``init(url:expectedState:)``.
    public init(text: String, expectedState: String?) throws {
        let native = try translateErrors { try parseConsentRedirect(url: text, expectedState: expectedState) }
        userID = native.userId
        providerSlug = native.providerSlug.map { ProviderSlug(rawValue: $0) }
        (state, failure) = (native.state, native.failure)
        extra = native.extra.map { URLQueryItem(name: $0.name, value: $0.value) }
    }
}

extension ConsentRedirect: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The type name, without values.
    public var description: String { "ConsentRedirect(..)" }

    /// Same as `description`.
    public var debugDescription: String { description }

    /// An empty mirror, so that `dump` shows no values.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
