import Foundation
internal import VitalwireFFI

/// A client of the service. Calls are grouped by resource:
///
/// ```swift
/// let night = try await client.sleeps.get(id, include: [.stages])
/// ```
///
/// A client is cheap to copy, and its copies share connections and tokens. Make one for each user whose token it has.
public struct VitalwireClient: Sendable {
    private let native: NativeClient
    private let providers: (health: NativeTokenProvider?, care: NativeTokenProvider?)
    private let facts: Facts?

    private init(_ client: VitalwireClient, facts: Facts) {
        (native, providers, self.facts) = (client.native, client.providers, facts)
    }

    /// Sets up a client; makes no call.
    ///
    /// - Parameters:
    ///   - options: Base URLs, which have no default, tokens, deadlines, trust.
    ///   - tokenProvider: Gives tokens where `options` holds none. An application never holds the service's key: it gets
    ///     tokens from its own server.
    ///   - careTokenProvider: The same for the policy-benefits service.
    ///   - mockResponses: Mock responses, for tests and previews. No service is called, and base URLs and tokens that are not set get
    ///     placeholders.
    ///   - onAttempt: Is told of every attempt, by the thread that drives the call, which goes on when it returns: keep it short.
    ///     ``Attempt/log(to:)`` is ready for `os.Logger`.
    /// - Throws: ``VitalwireError`` of kind ``ErrorKind/configuration``.
    public init(
        _ options: ClientOptions, tokenProvider: TokenProvider? = nil, careTokenProvider: TokenProvider? = nil,
        mockResponses: MockResponses? = nil, onAttempt: (@Sendable (Attempt) -> Void)? = nil
    ) throws {
        let (health, care) = (tokenProvider.map(NativeTokenProvider.init), careTokenProvider.map(NativeTokenProvider.init))
        native = try translated {
            try NativeClient(
                options: options.through(SystemProxy.url).native, tokenProvider: health, careTokenProvider: care, mockResponses: mockResponses?.native,
                onAttempt: onAttempt.map(NativeListener.init))
        }
        providers = (health, care)
        facts = nil
    }

    /// Closes the client and its copies: later calls fail with kind ``ErrorKind/closed``, and connections that no call uses are closed.
    ///
    /// - Parameter abortingCalls: Whether calls on their way end now, with the same kind; else they go on to their end.
    public func close(abortingCalls: Bool = false) { native.shut(abortCalls: abortingCalls) }

    /// Makes a call and gives, beside its value, what is known of the answer.
    ///
    /// ```swift
    /// let response = try await client.withResponse { try await $0.sleeps.get(id) }
    /// print(response.status, response.attempts)
    /// ```
    ///
    /// - Parameter work: Makes one call on the client that it is given; of several, the facts are those of the last. Parts of a range
    ///   are no such call: there are no facts of them.
    /// - Throws: What `work` throws; ``VitalwireError`` of kind ``ErrorKind/invalidArgument`` where it makes no call.
    public func withResponse<Value: Sendable>(_ work: (VitalwireClient) async throws -> Value) async throws -> Response<Value> {
        let facts = Facts()
        let value = try await work(VitalwireClient(self, facts: facts))
        guard let meta = facts.last else { throw VitalwireError(.invalidArgument, "no call was made") }
        return Response(value: value, meta)
    }

    /// Makes a call. Where its task is cancelled it throws `CancellationError`, as Swift's own calls do.
    func call<Value: Sendable>(
        _ work: @Sendable (NativeClient, CancelToken) async throws -> (Value, ResponseMetadata)
    ) async throws -> Value {
        do {
            return try await cancellable(work)
        } catch let error as VitalwireError where error.kind == .cancelled && Task.isCancelled {
            throw CancellationError()
        }
    }

    /// Makes a call that ends when its task is cancelled. `Task.cancel()` alone would not reach the native side.
    func cancellable<Value: Sendable>(
        _ work: @Sendable (NativeClient, CancelToken) async throws -> (Value, ResponseMetadata)
    ) async throws -> Value {
        let cancel = CancelToken.current()
        return try await withTaskCancellationHandler {
            do {
                let (value, meta) = try await work(native, cancel)
                facts?.last = meta
                return value
            } catch let ApiError.Failed(info) {
                throw error(info)
            }
        } onCancel: {
            cancel.cancel()
        }
    }

    /// Begins what is requested later.
    func begun<Value>(_ work: (NativeClient) throws -> Value) throws -> Value { try translated { try work(native) } }

    /// The error that applications see, with what the token closure threw.
    func error(_ info: ErrorInfo, resume: ResumeToken? = nil, soFar: (any Sendable)? = nil) -> VitalwireError {
        VitalwireError(info, underlying: thrown(info), resumeToken: resume, merged: soFar)
    }

    /// What the closure threw that the failed call asked for a token. Where the service answered, it was asked with a token.
    private func thrown(_ info: ErrorInfo) -> (any Error)? {
        guard info.kind == .authentication, info.status == nil else { return nil }
        let isOfCare = VitalwireError.careOperations.contains(info.operation ?? "")
        return (isOfCare ? providers.care : providers.health)?.failure
    }
}

extension VitalwireClient: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Shows no URL and no token.
    public var description: String { "VitalwireClient(..)" }

    /// Shows no URL and no token.
    public var debugDescription: String { description }

    /// Shows nothing to `dump` either.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// Turns the native side's error into the one that applications see.
func translated<Value>(_ work: () throws -> Value) throws -> Value {
    do {
        return try work()
    } catch let ApiError.Failed(info) {
        throw VitalwireError(info)
    }
}

/// The same of what is awaited.
func awaited<Value>(_ work: () async throws -> Value) async throws -> Value {
    do {
        return try await work()
    } catch let ApiError.Failed(info) {
        throw VitalwireError(info)
    }
}

/// Facts of the last answer, from whichever task it came.
private final class Facts: @unchecked Sendable {
    private let lock = NSLock()
    private var meta: ResponseMetadata?

    var last: ResponseMetadata? {
        get { lock.withLock { meta } }
        set { lock.withLock { meta = newValue } }
    }
}
