import Foundation
internal import VitalwireFFI

/// A closure that returns a valid access token.
///
/// An application never holds the service's key. It requests tokens from its own server. The client calls the closure when it needs a
/// token, once for all calls that wait for it. If the closure throws, the calls fail with kind ``ErrorKind/authentication``, and the error
/// is their ``VitalwireError/underlying``, also if the closure was called because the service had rejected a token.
///
/// If the call that runs the closure is cancelled or times out, the closure's task is cancelled, and the next call runs the closure again.
/// A closure that ignores cancellation can then run twice at once. Give calls a timeout that is longer than a request for a token takes.
public typealias TokenProvider = @Sendable (RefreshReason) async throws -> AccessToken

/// The reason for a token request.
public struct RefreshReason: Hashable, Sendable {
    private let name: String

    /// The client has no token yet.
    public static let missing = RefreshReason(name: "missing")
    /// The previous token expires soon or has expired.
    public static let expiring = RefreshReason(name: "expiring")
    /// The service has rejected the previous token.
    public static let rejected = RefreshReason(name: "rejected")

    /// Whether the service has rejected the previous token.
    public var isRejected: Bool { self == .rejected }

    static func of(_ native: VitalwireFFI.RefreshReason) -> RefreshReason {
        switch native {
        case .missing: .missing
        case .expiring: .expiring
        case .rejected: .rejected
        }
    }
}

/// An access token with an optional lifetime.
public struct AccessToken: Hashable, Sendable, ExpressibleByStringLiteral {
    let secret: String
    let lifetime: Duration?

    /// Creates a token.
    ///
    /// - Parameters:
    ///   - secret: The text of the token.
    ///   - lifetime: The time until the token expires. Defaults to `nil`: the token is used until the service rejects it.
    public init(_ secret: String, lifetime: Duration? = nil) {
        (self.secret, self.lifetime) = (secret, lifetime)
    }

    public init(stringLiteral secret: String) { self.init(secret) }
}

extension AccessToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The type name, without the token.
    public var description: String { "AccessToken(..)" }

    /// Same as `description`.
    public var debugDescription: String { description }

    /// An empty mirror, so that `dump` shows no values.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// Adapts a closure to the native token provider. Keeps the errors of the closure, because the FFI cannot carry them.
final class NativeTokenProvider: VitalwireFFI.TokenProvider, @unchecked Sendable {
    private let closure: TokenProvider
    private let lock = NSLock()
    private var failures: [(run: UInt64, error: any Error)] = []

    /// Maximum number of errors to keep. A call reads the error of its run before this many later runs have failed.
    private static let maxFailures = 64

    init(_ closure: @escaping TokenProvider) { self.closure = closure }

    /// Returns the error that a run of the closure threw. Several calls may have waited for the run.
    func failure(ofRun run: UInt64) -> (any Error)? { lock.withLock { failures.first { $0.run == run }?.error } }

    func token(reason: VitalwireFFI.RefreshReason, context: ProviderContext) async throws -> VitalwireFFI.AccessToken {
        do {
            let token = try await ProviderTask.$context.withValue(context) { try await closure(.of(reason)) }
            return .init(secret: token.secret, lifetimeMs: token.lifetime?.unsignedMilliseconds)
        } catch {
            lock.withLock { failures = failures.suffix(Self.maxFailures - 1) + [(context.runNumber(), error)] }
            throw error
        }
    }
}

/// The token closures that run in the current task. A call from a closure to its own client fails instead of deadlocking.
private enum ProviderTask {
    @TaskLocal static var context: ProviderContext?
}

extension CancelToken {
    /// Creates a cancel token for a call of the current task.
    static func current() -> CancelToken { ProviderTask.context.map { CancelToken.fromContext(context: $0) } ?? CancelToken() }
}
