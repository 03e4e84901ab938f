import Foundation
internal import VitalwireFFI

/// A range whose parts a client requests.
struct RequestedRange<Response: Sendable>: Sendable {
    typealias Merged = MergedRange<Response>

    typealias Begin = @Sendable (NativeClient, CancelToken) throws -> NativeRange
    typealias Made = @Sendable (RangeAnswer) -> Response?
    typealias Whole = @Sendable (NativeMerged) throws -> Response?

    let client: VitalwireClient
    let begin: Begin
    let made: Made
    let whole: Whole

    func collect(onProgress: (@Sendable (RangeProgress) -> Void)?) async throws -> Merged {
        let cancel = CancelToken.current()
        let native = try client.begun { try begin($0, cancel) }
        let end = try await withTaskCancellationHandler {
            try await awaited { try await native.collect(observer: onProgress.map(Observer.init)) }
        } onCancel: {
            cancel.cancel()
        }
        let merged = try end.merged.map { try Merged($0, self) }
        if let failure = end.failure { throw error(failure, soFar: merged) }
        guard let merged else { throw VitalwireError(.internal, "a range without a response") }
        // Parts that a cancelled task no longer read are failures that were collected.
        if Task.isCancelled, let left = merged.resumeToken { throw ended(left, soFar: merged) }
        return merged
    }

    func error(_ failure: RangeFailure, soFar: Merged? = nil) -> VitalwireError {
        client.error(failure.error, resume: failure.resume.flatMap { try? ResumeToken($0) }, soFar: soFar)
    }

    func ended(_ left: ResumeToken?, soFar: Merged? = nil) -> VitalwireError {
        VitalwireError(.cancelled, "the range was cancelled", resumeToken: left, merged: soFar)
    }

    func response(_ native: RangeAnswer) throws -> Response { try own(made(native)) }

    func response(_ native: NativeMerged) throws -> Response { try own(translated { try whole(native) }) }

    private func own(_ response: Response?) throws -> Response {
        guard let response else { throw VitalwireError(.internal, "a response of another operation") }
        return response
    }
}

/// The parts of such a range. When nobody holds them any more, parts on their way end.
struct RequestedParts<Response: Sendable>: Sendable {
    let range: RequestedRange<Response>
    private let native: Result<NativeParts, any Error>

    init(_ range: RequestedRange<Response>) {
        self.range = range
        native = Result { try range.client.begun { try range.begin($0, CancelToken.current()).parts() } }
    }

    func next() async throws -> RangePart<Response>? {
        let (reading, left) = try await read()
        return try reading.part.map { try .init($0, range, RangeProgress(reading.progress), left) }
    }

    func read() async throws -> (RangeReading, left: ResumeToken?) {
        let native = try self.native.get()
        let reading = try await withTaskCancellationHandler {
            try await awaited { try await native.next() }
        } onCancel: {
            native.closeParts()
        }
        if let failure = reading.failure { throw range.error(failure) }
        let left = reading.left.flatMap { try? ResumeToken($0) }
        // Closed before anything was read: a loop must not take this for the end.
        if reading.part == nil, reading.night == nil, Task.isCancelled, let left { throw range.ended(left) }
        return (reading, left)
    }

    var progress: RangeProgress? { try? RangeProgress(native.get().progress()) }

    var resumeToken: ResumeToken? { (try? native.get().left()).flatMap { try? ResumeToken($0) } }

    func close() { try? native.get().closeParts() }
}

/// A closure as the native side calls it.
private final class Observer: RangeObserver {
    private let told: @Sendable (RangeProgress) -> Void

    init(_ told: @escaping @Sendable (RangeProgress) -> Void) { self.told = told }

    func progressed(progress: VitalwireFFI.RangeProgress) throws { told(RangeProgress(progress)) }
}
