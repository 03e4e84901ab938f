import Foundation
internal import VitalwireFFI

/// Gives a token that is good now. An application never holds the service's key: it gets tokens from its own server.
///
/// Called when a token is needed, never twice at once for one client. What it throws is the ``VitalwireError/underlying`` error of
/// the call that needed the token, whose kind is ``ErrorKind/authentication``.
public typealias TokenProvider = @Sendable (TokenReason) async throws -> AccessToken

/// Why a token is asked for.
public struct TokenReason: Hashable, Sendable {
    /// Whether the service has just refused the last one.
    public let isRejected: Bool

    /// There is none yet, or the last one has expired.
    public static let needed = TokenReason(isRejected: false)
    /// The service has just refused the last one.
    public static let rejected = TokenReason(isRejected: true)
}

/// A token and how long it is good.
public struct AccessToken: Hashable, Sendable, ExpressibleByStringLiteral {
    let secret: String
    let lifetime: Duration?

    /// A token; without a lifetime it is used until the service refuses it.
    public init(_ secret: String, lifetime: Duration? = nil) {
        (self.secret, self.lifetime) = (secret, lifetime)
    }

    public init(stringLiteral secret: String) { self.init(secret) }
}

extension AccessToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Shows no token.
    public var description: String { "AccessToken(..)" }

    /// Shows no token.
    public var debugDescription: String { description }

    /// Shows nothing to `dump` either.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// A closure as the native side's provider; it keeps what the closure threw, which does not cross.
final class NativeTokenProvider: VitalwireFFI.TokenProvider, @unchecked Sendable {
    private let closure: TokenProvider
    private let lock = NSLock()
    private var thrown: (any Error)?

    init(_ closure: @escaping TokenProvider) { self.closure = closure }

    /// What the closure threw last, unless it gave a token since.
    var failure: (any Error)? { lock.withLock { thrown } }

    func token(refused: Bool, context: ProviderContext) async throws -> VitalwireFFI.AccessToken {
        do {
            let token = try await ProviderTask.$context.withValue(context) { try await closure(refused ? .rejected : .needed) }
            lock.withLock { thrown = nil }
            return .init(secret: token.secret, lifetimeMs: token.lifetime?.unsignedMilliseconds)
        } catch {
            lock.withLock { thrown = error }
            throw error
        }
    }
}

/// The token closures that run in a task. Calls that one makes to its own client fail at once.
private enum ProviderTask {
    @TaskLocal static var context: ProviderContext?
}

extension CancelToken {
    /// Creates a token for a call of this task.
    static func current() -> CancelToken { ProviderTask.context.map { CancelToken.within(context: $0) } ?? CancelToken() }
}
