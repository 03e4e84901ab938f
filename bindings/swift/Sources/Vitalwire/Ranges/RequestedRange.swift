import Foundation
internal import VitalwireFFI

/// A range whose parts are requested by a client.
struct RequestedRange<Response: Sendable>: Sendable {
    typealias Merged = MergedRange<Response>

    typealias Begin = @Sendable (NativeClient, CancelToken) throws -> NativeRange
    typealias ConvertPart = @Sendable (OperationResponse) -> Response?
    typealias ConvertMerged = @Sendable (NativeMerged) throws -> Response?

    let client: VitalwireClient
    let begin: Begin
    let convertPart: ConvertPart
    let convertMerged: ConvertMerged

    func collect(onProgress: (@Sendable (RangeProgress) -> Void)?) async throws -> Merged {
        let cancel = CancelToken.current()
        let native = try client.prepareRange { try begin($0, cancel) }
        let end = try await withTaskCancellationHandler {
            try await translateAsyncErrors { try await native.collect(observer: onProgress.map(Observer.init)) }
        } onCancel: {
            cancel.cancel()
        }
        let merged = try end.merged.map { try Merged($0, self) }
        if let failure = end.failure { throw error(failure, partialResult: merged) }
        guard let merged else { throw VitalwireError(.internal, "the range call has neither a response nor a failure") }
        // With collected failures, parts that a cancelled task did not read count as failures instead of throwing.
        if Task.isCancelled, let left = merged.resumeToken { throw cancellationError(left, partialResult: merged) }
        return merged
    }

    func error(_ failure: RangeFailure, partialResult: Merged? = nil) -> VitalwireError {
        client.error(failure.error, resume: failure.resume.flatMap { try? ResumeToken($0) }, partialResult: partialResult)
    }

    func cancellationError(_ left: ResumeToken?, partialResult: Merged? = nil) -> VitalwireError {
        VitalwireError(.cancelled, "the range was cancelled", resumeToken: left, merged: partialResult)
    }

    func response(_ native: OperationResponse) throws -> Response { try unwrap(convertPart(native)) }

    func response(_ native: NativeMerged) throws -> Response { try unwrap(translateErrors { try convertMerged(native) }) }

    private func unwrap(_ response: Response?) throws -> Response {
        guard let response else { throw VitalwireError(.internal, "the response belongs to another operation") }
        return response
    }
}

/// A reader of the parts of a `RequestedRange`. Requests in flight are cancelled when the last copy is released.
struct RequestedParts<Response: Sendable>: Sendable {
    let range: RequestedRange<Response>
    private let native: Result<NativeParts, any Error>

    init(_ range: RequestedRange<Response>) {
        self.range = range
        native = Result { try range.client.prepareRange { try range.begin($0, CancelToken.current()).parts() } }
    }

    func next() async throws -> RangePart<Response>? {
        let (reading, left) = try await read()
        return try reading.part.map { try .init($0, range, RangeProgress(reading.progress), left) }
    }

    func read() async throws -> (RangeReading, left: ResumeToken?) {
        let native = try self.native.get()
        let reading = try await withTaskCancellationHandler {
            try await translateAsyncErrors { try await native.next() }
        } onCancel: {
            native.closeParts()
        }
        if let failure = reading.failure { throw range.error(failure) }
        let left = reading.resumeToken.flatMap { try? ResumeToken($0) }
        // The task was cancelled before a part was read. Without an error, a loop would end as if the range were complete.
        if reading.part == nil, reading.night == nil, Task.isCancelled, let left { throw range.cancellationError(left) }
        return (reading, left)
    }

    var progress: RangeProgress? { try? RangeProgress(native.get().progress()) }

    var resumeToken: ResumeToken? { (try? native.get().resumeToken()).flatMap { try? ResumeToken($0) } }

    func close() { try? native.get().closeParts() }
}

/// Passes progress from the native client to a closure.
private final class Observer: RangeObserver {
    private let onProgress: @Sendable (RangeProgress) -> Void

    init(_ onProgress: @escaping @Sendable (RangeProgress) -> Void) { self.onProgress = onProgress }

    func progressed(progress: VitalwireFFI.RangeProgress) throws { onProgress(RangeProgress(progress)) }
}
