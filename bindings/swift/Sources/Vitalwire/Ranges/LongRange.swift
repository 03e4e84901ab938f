import Foundation
internal import VitalwireFFI

/// A call over a range of time, requested in parts. Iterate it for the parts, or collect them as one answer:
///
/// ```swift
/// let year = client.statistics.daily(first...last, of: [.steps], every: .days(30))
/// for try await part in year {
///     show(try part.answer.statistics, part.progress.fraction)
///     save(part.resumeToken)
/// }
/// ```
///
/// Nothing is requested before it is iterated or collected, and each time it is requested anew. Options of the call apply to each
/// part by itself, timeouts included.
public struct LongRange<Answer: Sendable>: AsyncSequence, Sendable {
    /// The answer to one part, or its failure.
    public typealias Element = Part

    typealias Begin = @Sendable (NativeClient, CancelToken) throws -> NativeRange
    typealias Made = @Sendable (RangeAnswer) -> Answer?
    typealias Whole = @Sendable (NativeMerged) throws -> Answer?

    let client: VitalwireClient
    let begin: Begin
    let made: Made
    let whole: Whole

    init(_ client: VitalwireClient, begin: @escaping Begin, answer made: @escaping Made) {
        self.init(client, begin: begin, answer: made) { made(try $0.answer()) }
    }

    init(_ client: VitalwireClient, begin: @escaping Begin, answer made: @escaping Made, whole: @escaping Whole) {
        (self.client, self.begin, self.made, self.whole) = (client, begin, made, whole)
    }

    /// The parts, to be read one by one.
    public func makeAsyncIterator() -> Parts { Parts(self) }

    /// Reads every part and merges the answers: items in the order of the parts, without those that the part before had too.
    ///
    /// - Parameter onProgress: Is told after each part, by the thread that drives the range, which goes on when it returns.
    /// - Throws: ``VitalwireError``, whose ``VitalwireError/resumeToken`` has what was not read and ``VitalwireError/soFar(of:)`` what
    ///   was; of a cancelled task too.
    public func collect(onProgress: (@Sendable (RangeProgress) -> Void)? = nil) async throws -> Merged {
        let cancel = CancelToken()
        let native = try client.begun { try begin($0, cancel) }
        let end = try await withTaskCancellationHandler {
            try await awaited { try await native.collect(observer: onProgress.map(Observer.init)) }
        } onCancel: {
            cancel.cancel()
        }
        let merged = try end.merged.map { try Merged($0, self) }
        if let failure = end.failure { throw error(failure, soFar: merged) }
        guard let merged else { throw VitalwireError(.internal, "a range without an answer") }
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

    func answer(_ native: RangeAnswer) throws -> Answer { try own(made(native)) }

    func answer(_ native: NativeMerged) throws -> Answer { try own(translated { try whole(native) }) }

    private func own(_ answer: Answer?) throws -> Answer {
        guard let answer else { throw VitalwireError(.internal, "an answer of another operation") }
        return answer
    }
}

extension LongRange {
    /// The parts of a range as they come, in order. One reading at a time has them: a second one is refused with kind
    /// ``ErrorKind/configuration``. When nobody holds them any more, parts on their way end.
    public final class Parts: AsyncSequence, AsyncIteratorProtocol, Sendable {
        private let range: LongRange
        private let native: Result<NativeParts, any Error>

        init(_ range: LongRange) {
            self.range = range
            native = Result { try range.client.begun { try range.begin($0, CancelToken()).parts() } }
        }

        /// These parts: what one loop leaves, another goes on with.
        public func makeAsyncIterator() -> Parts { self }

        /// The next part; `nil` after the last, after the error that ended the range, and after ``close()``.
        ///
        /// - Throws: ``VitalwireError``, whose ``VitalwireError/resumeToken`` has what was not handed out; of a cancelled task too.
        public func next() async throws -> Part? {
            let (reading, left) = try await read()
            return try reading.part.map { try Part($0, range, RangeProgress(reading.progress), left) }
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

        func error(_ failure: RangeFailure) -> VitalwireError { range.error(failure) }

        /// How far the range is, as of the last part that was handed out.
        public var progress: RangeProgress? { try? RangeProgress(native.get().progress()) }

        /// A token for all parts that have failed or were not handed out, at any time; `nil` if nothing is left.
        public var resumeToken: ResumeToken? { (try? native.get().left()).flatMap { try? ResumeToken($0) } }

        /// Ends what is on its way, a reading too.
        public func close() { try? native.get().closeParts() }
    }

    /// The answer to one part, or its failure.
    public struct Part: Sendable {
        /// Index among the parts of the whole range, from 0.
        public let index: Int
        /// The days of the part, if the range is one of days.
        public let days: ClosedRange<CalendarDate>?
        /// The time of the part, if the range is one of time and not open.
        public let time: Range<Date>?
        /// How many items were left out because the part before had them.
        public let duplicates: Int
        /// The answer, or why there is none: with ``RangeOptions/collectsFailures`` a part that failed is handed out too.
        public let result: Result<Answer, VitalwireError>
        /// How far the range is with this part.
        public let progress: RangeProgress
        /// What is left after this part, to be stored with it; `nil` after the last.
        public let resumeToken: ResumeToken?

        /// The answer; of a part that failed its error.
        public var answer: Answer { get throws { try result.get() } }

        init(_ native: RangePart, _ range: LongRange, _ progress: RangeProgress, _ left: ResumeToken?) throws {
            (index, days, time) = (Int(native.index), native.range?.days, native.range?.time)
            duplicates = Int(clamping: native.duplicates)
            if let failure = native.failure {
                result = .failure(range.error(failure))
            } else if let answer = native.answer {
                result = .success(try range.answer(answer))
            } else {
                throw VitalwireError(.internal, "a part without an answer")
            }
            (self.progress, resumeToken) = (progress, left)
        }
    }
}

extension LongRange.Part: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Shows no bounds and no values.
    public var description: String { "Part(index \(index), duplicates \(duplicates))" }

    /// Shows no bounds and no values.
    public var debugDescription: String { description }

    /// Shows nothing to `dump` either.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension LongRange: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Shows the type, no bounds.
    public var description: String { "LongRange(..)" }

    /// Shows the type, no bounds.
    public var debugDescription: String { description }

    /// Shows nothing to `dump` either.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// A closure as the native side calls it.
private final class Observer: RangeObserver {
    private let told: @Sendable (RangeProgress) -> Void

    init(_ told: @escaping @Sendable (RangeProgress) -> Void) { self.told = told }

    func progressed(progress: VitalwireFFI.RangeProgress) throws { told(RangeProgress(progress)) }
}
