import Foundation
import Vitalwire

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A provider in the list, with its state at the service.
public struct ConsentProvider: Hashable, Identifiable, Sendable {
    /// State of a user's connection with a provider.
    public enum Status: Hashable, Sendable {
        /// The user has no connection.
        case notConnected
        /// The service reads the provider's data.
        case connected
        /// The service has marked the connection as broken. The user must connect again.
        case broken
    }

    /// The provider.
    public let slug: ProviderSlug
    /// State of the connection when the list was read.
    public let status: Status

    /// Same as ``slug``.
    public var id: ProviderSlug { slug }
}

/// The current step of a ``ConsentModel``.
public enum ConsentPhase: Hashable, Sendable {
    /// The list is being read.
    case loading
    /// The list could not be read.
    case unavailable(ConsentFailure)
    /// The list is up to date.
    case ready
    /// The user is on the consent page, or the connection is being confirmed.
    case waiting(ProviderSlug)
    /// The service lists the new connection.
    case connected(ProviderSlug)
    /// The redirect reports an error: the user did not agree, or the provider failed.
    case refused(ProviderSlug)
    /// The service lists the new connection as broken.
    case broken(ProviderSlug)
    /// The connection failed for another reason.
    case failed(ProviderSlug, ConsentFailure)

    /// Whether the step is the result of a connection.
    public var isResult: Bool {
        switch self {
        case .connected, .refused, .broken, .failed: true
        case .loading, .unavailable, .ready, .waiting: false
        }
    }
}

/// The reason why a list or a connection failed.
public enum ConsentFailure: Hashable, Sendable {
    /// The device is offline, or the service cannot respond now.
    case unavailable
    /// The token is missing, expired or not allowed.
    case signIn
    /// The service has no consent URL for this provider, the redirect URL is not on its list, or the provider requires another user id.
    case rejected
    /// The browser could not open the consent page.
    case browser
    /// A redirect does not belong to this connection.
    case otherRedirect
    /// The provider has agreed, but the service does not list the connection yet.
    case unconfirmed
}

extension ConsentFailure {
    /// Converts the error of a call. If the token closure could not reach its server, the user need not sign in.
    init(_ error: any Error) {
        let error = error as? VitalwireError
        self =
            switch error?.kind {
            case .authentication? where error?.underlying is URLError: .unavailable
            case .authentication?, .permission?: .signIn
            case .invalidRequest?, .notFound?, .invalidArgument?: .rejected
            case nil: .browser
            default: .unavailable
            }
    }
}
