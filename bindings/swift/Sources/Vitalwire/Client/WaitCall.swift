import Foundation
internal import VitalwireFFI

/// A call that waits for an analysis. Iterate the call for the progress, or await ``record()``.
///
/// The request is sent when you iterate the call or await ``record()``. Each iteration makes a new call.
///
/// ```swift
/// for try await state in client.nutritionRecords.uploadAndWait(body: picture) {
///     switch state {
///     case .progress(let progress): show(progress.recordID)
///     case .ended(let record): show(record)
///     }
/// }
/// ```
///
/// The wait ends if its task is cancelled or the loop exits. A completed upload has then already created a record. The record's id is in
/// every ``State/progress(_:)`` and in the ``VitalwireError`` of kind ``ErrorKind/cancelled`` that a cancelled task throws.
public struct WaitCall<Record: Sendable>: AsyncSequence, Sendable {
    /// A step of a wait.
    public enum State: Sendable {
        /// The upload has completed, or the record was polled. The last poll is included.
        case progress(Progress)
        /// The analysis has ended. The record is that of the last poll.
        case ended(Record)
    }

    /// A step of the wait.
    public typealias Element = State

    /// A closure that makes the call and reports its progress to an optional callback.
    package typealias Work = @Sendable ((@Sendable (Progress) -> Void)?) async throws -> Record

    private let work: Work

    /// Creates an instance for fakes.
    package init(work: @escaping Work) { self.work = work }

    init(client: VitalwireClient, _ call: @escaping @Sendable (VitalwireClient, (any WaitObserver)?) async throws -> Record) {
        work = { onProgress in try await call(client, onProgress.map(Observer.init)) }
    }

    /// Makes the call and returns the record at the end of the analysis.
    ///
    /// - Throws: ``VitalwireError``. A cancelled task throws this error too, because the error contains the id of the record.
    public func record() async throws -> Record { try await work(nil) }

    /// Starts the call and returns an iterator over its steps. Releasing the iterator cancels the call.
    public func makeAsyncIterator() -> Iterator { Iterator(work) }

    /// An iterator over the steps of a wait.
    public final class Iterator: AsyncIteratorProtocol {
        private var progress: AsyncStream<Progress>.AsyncIterator
        private let task: Task<Record, any Error>
        private var ended = false

        init(_ work: @escaping Work) {
            let (stream, continuation) = AsyncStream<Progress>.makeStream()
            progress = stream.makeAsyncIterator()
            task = Task {
                defer { continuation.finish() }
                return try await work { continuation.yield($0) }
            }
        }

        deinit { task.cancel() }

        /// Returns the next step; `nil` after the record.
        public func next() async throws -> State? {
            if ended { return nil }
            return try await withTaskCancellationHandler {
                if let progress = await progress.next() { return .progress(progress) }
                ended = true
                // Await a cancelled task too, because the error contains the id of the record.
                return .ended(try await task.value)
            } onCancel: { [task] in
                task.cancel()
            }
        }
    }
}

extension WaitCall {
    /// The progress of a wait.
    public struct Progress: Sendable {
        /// Number of polls; 0 when the upload has just completed.
        public let polls: Int
        /// Status of the record, as the service writes it.
        public let status: String
        /// Time since the start of the wait, including an upload.
        public let elapsed: Duration
        /// Id of the uploaded record, with which you can wait again; `nil` without an upload.
        public let recordID: String?

        /// Creates an instance for fakes.
        package init(polls: Int, status: String, elapsed: Duration, recordID: String?) {
            (self.polls, self.status, self.elapsed, self.recordID) = (polls, status, elapsed, recordID)
        }

        init(_ native: WaitProgress) {
            polls = Int(native.polls)
            status = native.status
            elapsed = .milliseconds(Int64(clamping: native.elapsedMs))
            recordID = native.recordId
        }
    }
}

extension WaitCall.Progress: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The number of polls, without status and id.
    public var description: String { "Progress(polls \(polls))" }

    /// Same as `description`.
    public var debugDescription: String { description }

    /// An empty mirror, so that `dump` shows no values.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// Passes progress from the native client to a closure.
private final class Observer<Record: Sendable>: WaitObserver {
    private let onProgress: @Sendable (WaitCall<Record>.Progress) -> Void

    init(_ onProgress: @escaping @Sendable (WaitCall<Record>.Progress) -> Void) { self.onProgress = onProgress }

    func progressed(progress: WaitProgress) throws { onProgress(.init(progress)) }
}
