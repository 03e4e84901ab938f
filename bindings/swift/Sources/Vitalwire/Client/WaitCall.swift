import Foundation
internal import VitalwireFFI

/// A call that ends when an analysis has: its progress, then its record.
///
/// Nothing is sent before it is iterated or its ``record()`` is awaited; each of these makes the call anew.
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
/// Where its task is cancelled, or the loop is left, the wait ends. An upload that was answered by then has made a record, whose id
/// every ``State/progress(_:)`` has, and the ``VitalwireError`` of kind ``ErrorKind/cancelled`` that a cancelled task throws.
public struct WaitCall<Record: Sendable>: AsyncSequence, Sendable {
    /// What is told of it.
    public enum State: Sendable {
        /// An upload was answered, or the record was read; the last reading, which ends the analysis, is told too.
        case progress(Progress)
        /// The analysis has ended: the record as it was read at the end.
        case ended(Record)
    }

    /// What iterating gives.
    public typealias Element = State

    /// What makes the call, and tells of its progress where somebody wants to know.
    package typealias Work = @Sendable ((@Sendable (Progress) -> Void)?) async throws -> Record

    private let work: Work

    /// One that is not a client's, for fakes.
    package init(work: @escaping Work) { self.work = work }

    init(client: VitalwireClient, _ call: @escaping @Sendable (VitalwireClient, (any WaitObserver)?) async throws -> Record) {
        work = { told in try await call(client, told.map(Observer.init)) }
    }

    /// The record, without its progress.
    ///
    /// - Throws: ``VitalwireError``; of a cancelled task too, since it has the id of the record.
    public func record() async throws -> Record { try await work(nil) }

    /// Makes the call, which ends when the iterator goes.
    public func makeAsyncIterator() -> Iterator { Iterator(work) }

    /// The states one after the other.
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

        /// The next state; after the record, `nil`.
        public func next() async throws -> State? {
            if ended { return nil }
            return try await withTaskCancellationHandler {
                if let progress = await progress.next() { return .progress(progress) }
                ended = true
                // A cancelled task is awaited too: its error has the record's id.
                return .ended(try await task.value)
            } onCancel: { [task] in
                task.cancel()
            }
        }
    }
}

extension WaitCall {
    /// How far a wait is.
    public struct Progress: Sendable {
        /// How often the record was read; 0 when an upload has just been answered.
        public let polls: Int
        /// The status, as the service calls it.
        public let status: String
        /// Time since the wait began, an upload included.
        public let elapsed: Duration
        /// After an upload, the id of its record: it can be waited for again, whatever becomes of this wait.
        public let recordID: String?

        /// One that is not a client's, for fakes.
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
    /// Shows neither status nor id.
    public var description: String { "Progress(polls \(polls))" }

    /// Shows neither status nor id.
    public var debugDescription: String { description }

    /// Shows nothing to `dump` either.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// A closure as the native side calls it.
private final class Observer<Record: Sendable>: WaitObserver {
    private let told: @Sendable (WaitCall<Record>.Progress) -> Void

    init(_ told: @escaping @Sendable (WaitCall<Record>.Progress) -> Void) { self.told = told }

    func progressed(progress: WaitProgress) throws { told(.init(progress)) }
}
