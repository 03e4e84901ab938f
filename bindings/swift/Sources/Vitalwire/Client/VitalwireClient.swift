import Foundation
internal import VitalwireFFI

/// A client for a health data service.
///
/// ## Overview
///
/// Calls are asynchronous and grouped by resource:
///
/// ```swift
/// let night = try await client.sleeps.get(id, include: [.stages])
/// ```
///
/// A client is cheap to copy. Copies share connections and tokens. Cancelling the task of a call cancels the call.
///
/// ## Creating a client
///
/// Create one client per user with ``init(_:tokenProvider:careTokenProvider:mockResponses:onAttempt:)``. A base URL is required. Tokens
/// come from ``ClientOptions`` or from a ``TokenProvider``. For tests and previews, pass ``MockResponses``.
///
/// ## Retries
///
/// The client retries transient failures with growing delays. A request that may have taken effect is not sent again unless you allow it.
/// ``ClientOptions/Retry/maxRetries`` limits the number of retries, and the total timeout of a call includes all of them.
public struct VitalwireClient: Sendable {
    private let native: NativeClient
    private let providers: (health: NativeTokenProvider?, care: NativeTokenProvider?)
    private let slot: MetadataSlot?

    private init(_ client: VitalwireClient, slot: MetadataSlot) {
        (native, providers, self.slot) = (client.native, client.providers, slot)
    }

    /// Creates a client. Sends no request.
    ///
    /// - Parameters:
    ///   - options: The settings of the client: services with their base URLs and tokens, timeouts, retries, network.
    ///   - tokenProvider: The source of tokens if `options` has none. An application requests tokens from its own server, because it
    ///     never holds the service's key.
    ///   - careTokenProvider: The source of tokens for the policy-benefits service.
    ///   - mockResponses: The mock responses for tests and previews. With them the client uses no network. Base URLs and tokens that are
    ///     not set get placeholders.
    ///   - onAttempt: The callback after every attempt. It runs on the thread that drives the call, so it must return quickly. Use
    ///     ``Attempt/log(to:)`` to write to an `os.Logger`.
    /// - Throws: ``VitalwireError`` of kind ``ErrorKind/configuration`` if a setting is invalid.
    public init(
        _ options: ClientOptions, tokenProvider: TokenProvider? = nil, careTokenProvider: TokenProvider? = nil,
        mockResponses: MockResponses? = nil, onAttempt: (@Sendable (Attempt) -> Void)? = nil
    ) throws {
        let (health, care) = (tokenProvider.map(NativeTokenProvider.init), careTokenProvider.map(NativeTokenProvider.init))
        native = try translateErrors {
            try NativeClient(
                options: options.withSystemProxy(SystemProxy.url).native, tokenProvider: health, careTokenProvider: care,
                mockResponses: mockResponses?.native, onAttempt: onAttempt.map(NativeListener.init))
        }
        providers = (health, care)
        slot = nil
    }

    /// Closes the client and its copies.
    ///
    /// New calls fail with an error of kind ``ErrorKind/closed``. Idle connections are closed.
    ///
    /// - Parameter abortingCalls: Whether calls in flight are aborted with the same kind. Defaults to `false`: they complete.
    public func close(abortingCalls: Bool = false) { native.shutdown(abortCalls: abortingCalls) }

    /// Makes a call and returns its value with the response metadata.
    ///
    /// ```swift
    /// let response = try await client.withResponse { try await $0.sleeps.get(id) }
    /// print(response.status, response.attempts)
    /// ```
    ///
    /// - Parameter work: A closure that makes one call on the client it receives. If it makes several calls, the metadata is that of the
    ///   last response. Not available for ranges.
    /// - Throws: The error of `work`. ``VitalwireError`` of kind ``ErrorKind/invalidArgument`` if `work` makes no call.
    public func withResponse<Value: Sendable>(_ work: (VitalwireClient) async throws -> Value) async throws -> Response<Value> {
        let slot = MetadataSlot()
        let value = try await work(VitalwireClient(self, slot: slot))
        guard let meta = slot.last else { throw VitalwireError(.invalidArgument, "the block must make a call") }
        return Response(value: value, meta)
    }

    /// Makes a call. Throws `CancellationError` if its task is cancelled.
    func call<Value: Sendable>(
        _ work: @Sendable (NativeClient, CancelToken) async throws -> (Value, ResponseMetadata?)
    ) async throws -> Value {
        do {
            return try await cancellable(work)
        } catch let error as VitalwireError where error.kind == .cancelled && Task.isCancelled {
            throw CancellationError()
        }
    }

    /// Makes a call and forwards the cancellation of its task to the native client.
    func cancellable<Value: Sendable>(
        _ work: @Sendable (NativeClient, CancelToken) async throws -> (Value, ResponseMetadata?)
    ) async throws -> Value {
        let cancel = CancelToken.current()
        return try await withTaskCancellationHandler {
            do {
                let (value, meta) = try await work(native, cancel)
                if let meta { slot?.last = meta }
                return value
            } catch let ApiError.Failed(info) {
                throw error(info)
            }
        } onCancel: {
            cancel.cancel()
        }
    }

    /// Reads a response that another transport received.
    func read<Value>(_ work: (NativeClient) throws -> (Value, ResponseMetadata)) throws -> Value {
        let (value, meta) = try translateErrors { try work(native) }
        slot?.last = meta
        return value
    }

    /// Prepares a native range without sending a request.
    func prepareRange<Value>(_ work: (NativeClient) throws -> Value) throws -> Value { try translateErrors { try work(native) } }

    /// Converts a native error, and attaches the error of the token closure.
    func error(_ info: ErrorInfo, resume: ResumeToken? = nil, partialResult: (any Sendable)? = nil) -> VitalwireError {
        VitalwireError(info, underlying: info.providerRun.flatMap(tokenClosureError), resumeToken: resume, merged: partialResult)
    }

    /// Returns the error that a run of a token closure threw.
    private func tokenClosureError(ofRun run: UInt64) -> (any Error)? {
        providers.health?.failure(ofRun: run) ?? providers.care?.failure(ofRun: run)
    }
}

extension VitalwireClient: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The type name, without URLs and tokens.
    public var description: String { "VitalwireClient(..)" }

    /// Same as `description`.
    public var debugDescription: String { description }

    /// An empty mirror, so that `dump` shows no values.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// Runs a closure and converts its native error to `VitalwireError`.
func translateErrors<Value>(_ work: () throws -> Value) throws -> Value {
    do {
        return try work()
    } catch let ApiError.State(reason, text) {
        throw StateError(reason, text)
    } catch let ApiError.Failed(info) {
        throw VitalwireError(info)
    }
}

/// Runs an asynchronous closure and converts its native error to `VitalwireError`.
func translateAsyncErrors<Value>(_ work: () async throws -> Value) async throws -> Value {
    do {
        return try await work()
    } catch let ApiError.Failed(info) {
        throw VitalwireError(info)
    }
}

/// A thread-safe slot for the metadata of the last response.
private final class MetadataSlot: @unchecked Sendable {
    private let lock = NSLock()
    private var meta: ResponseMetadata?

    var last: ResponseMetadata? {
        get { lock.withLock { meta } }
        set { lock.withLock { meta = newValue } }
    }
}
