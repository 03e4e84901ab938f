// The records, parameters and open sets that calls take and give.
@_exported import VitalwireFFI

/// A client of the service. Calls are grouped by resource: `client.sleeps.get(sleepId: id)`.
public struct VitalwireClient: Sendable {
    private let native: NativeClient

    /// Sets up a client; makes no call.
    ///
    /// - Parameters:
    ///   - tokenProvider: gives tokens where `options` holds none. An application never holds the service's key: it gets
    ///     tokens from its own server.
    ///   - careTokenProvider: the same for the policy-benefits service.
    /// - Throws: `VitalwireError` of kind `configuration`.
    public init(
        options: ClientOptions, tokenProvider: (any TokenProvider)? = nil, careTokenProvider: (any TokenProvider)? = nil
    ) throws {
        native = try translated {
            try NativeClient(options: options, tokenProvider: tokenProvider, careTokenProvider: careTokenProvider)
        }
    }

    /// Closes the client and its copies: later calls fail with kind `closed`, and connections that no call uses are closed.
    ///
    /// - Parameter endingCalls: whether calls on their way end now, with the same kind; else they go on to their end.
    public func close(endingCalls: Bool = false) {
        native.shut(endCalls: endingCalls)
    }

    /// Makes a call. Where its task is cancelled it throws `CancellationError`, as Swift's own calls do.
    func call<Value: Sendable>(
        _ work: @Sendable (NativeClient, CancelToken) async throws -> Response<Value>
    ) async throws -> Response<Value> {
        do {
            return try await cancellable(work)
        } catch let error as VitalwireError where error.kind == .cancelled && Task.isCancelled {
            throw CancellationError()
        }
    }

    /// Makes a call that ends when an analysis has. Where its task is cancelled the error is a `VitalwireError`: it has the id of the record
    /// that was uploaded, which `CancellationError` could not tell.
    func wait<Value: Sendable>(
        _ onProgress: (@Sendable (WaitProgress) -> Void)?,
        _ work: @Sendable (NativeClient, CancelToken, (any WaitObserver)?) async throws -> Response<Value>
    ) async throws -> Response<Value> {
        let observer = onProgress.map(Observer.init)
        return try await cancellable { native, cancel in try await work(native, cancel, observer) }
    }

    /// Makes a call that ends when its task is cancelled. `Task.cancel()` alone would not reach the native side.
    private func cancellable<Value: Sendable>(
        _ work: @Sendable (NativeClient, CancelToken) async throws -> Response<Value>
    ) async throws -> Response<Value> {
        let cancel = CancelToken()
        return try await withTaskCancellationHandler {
            do {
                return try await work(native, cancel)
            } catch let ApiError.Failed(info) {
                throw VitalwireError(info: info)
            }
        } onCancel: {
            cancel.cancel()
        }
    }
}

/// A closure as the native side calls it.
private final class Observer: WaitObserver {
    private let told: @Sendable (WaitProgress) -> Void

    init(_ told: @escaping @Sendable (WaitProgress) -> Void) {
        self.told = told
    }

    func progressed(progress: WaitProgress) throws {
        told(progress)
    }
}
