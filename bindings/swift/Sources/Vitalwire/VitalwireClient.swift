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

    /// Makes a call that ends when its task is cancelled. `Task.cancel()` alone would not reach the native side.
    func call<Value: Sendable>(
        _ work: @Sendable (NativeClient, CancelToken) async throws -> Response<Value>
    ) async throws -> Response<Value> {
        let cancel = CancelToken()
        return try await withTaskCancellationHandler {
            do {
                return try await work(native, cancel)
            } catch let ApiError.Failed(info) {
                if info.kind == .cancelled && Task.isCancelled { throw CancellationError() }
                throw VitalwireError(info: info)
            }
        } onCancel: {
            cancel.cancel()
        }
    }
}
