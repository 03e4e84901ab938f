import Foundation
internal import VitalwireFFI

/// What came back from the consent flow. Nothing in it is signed: the state alone ties it to the flow that was begun.
public struct ConsentRedirect: Hashable, Sendable {
    /// The service's id of the user, as it came.
    public let userID: String?
    /// The provider.
    public let provider: ProviderSlug?
    /// The state that came back.
    public let state: String?
    /// Why the integration failed; `nil` where the provider is integrated. Anybody can write a URL: escape it before showing it.
    public let failure: String?
    /// All other parameters, in their order, repeated ones too.
    public let extra: [URLQueryItem]

    /// Reads what the browser brought back.
    ///
    /// - Parameters:
    ///   - url: A URL of any scheme, such as an application's own.
    ///   - expectedState: The state that the flow began with. Pass `nil` only where it began without one: then nothing tells a
    ///     genuine return from one that somebody made up.
    /// - Throws: ``VitalwireError`` of kind ``ErrorKind/signature`` where the state is another, ``ErrorKind/decode`` where it is no
    ///   return.
    public init(url: URL, expectedState: String?) throws {
        try self.init(text: url.absoluteString, expectedState: expectedState)
    }

    /// The same of a text: a whole URL, a path with its query, or a query.
    public init(text: String, expectedState: String?) throws {
        let native = try translated { try parseConsentRedirect(url: text, expectedState: expectedState) }
        userID = native.userId
        provider = native.providerSlug.map { ProviderSlug(rawValue: $0) }
        (state, failure) = (native.state, native.failure)
        extra = native.extra.map { URLQueryItem(name: $0.name, value: $0.value) }
    }
}

extension ConsentRedirect: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Shows no value.
    public var description: String { "ConsentRedirect(..)" }

    /// Shows no value.
    public var debugDescription: String { description }

    /// Shows nothing to `dump` either.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
