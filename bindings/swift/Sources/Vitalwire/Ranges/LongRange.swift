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
public struct LongRange<MockResponse: Sendable>: AsyncSequence, Sendable {
    /// The answer to one part, or its failure.
    public typealias Element = Part

    /// What is read: parts that a client requests, or those that a fake was given.
    enum Source: Sendable {
        case requested(RequestedRange<MockResponse>)
        case known(KnownRange<MockResponse>)
    }

    let source: Source

    init(
        _ client: VitalwireClient, begin: @escaping RequestedRange<MockResponse>.Begin, answer made: @escaping RequestedRange<MockResponse>.Made
    ) {
        self.init(client, begin: begin, answer: made) { made(try $0.answer()) }
    }

    init(
        _ client: VitalwireClient, begin: @escaping RequestedRange<MockResponse>.Begin, answer made: @escaping RequestedRange<MockResponse>.Made,
        whole: @escaping RequestedRange<MockResponse>.Whole
    ) {
        source = .requested(RequestedRange(client: client, begin: begin, made: made, whole: whole))
    }

    /// One that is not a client's, for fakes: its parts, and the answer or the error that it ends with.
    package init(known parts: [Part], end: Result<MockResponse, any Error>, soFar: MockResponse? = nil) {
        source = .known(KnownRange(parts: parts, end: end, soFar: soFar))
    }

    /// The parts, to be read one by one.
    public func makeAsyncIterator() -> Parts { Parts(source) }

    /// Reads every part and merges the answers: items in the order of the parts, without those that the part before had too.
    ///
    /// - Parameter onProgress: Is told after each part, by the thread that drives the range, which goes on when it returns.
    /// - Throws: ``VitalwireError``, whose ``VitalwireError/resumeToken`` has what was not read and ``VitalwireError/soFar(of:)`` what
    ///   was; of a cancelled task too.
    public func collect(onProgress: (@Sendable (RangeProgress) -> Void)? = nil) async throws -> Merged {
        switch source {
        case .requested(let range): try await range.collect(onProgress: onProgress)
        case .known(let range): try range.collect(onProgress: onProgress)
        }
    }
}

extension LongRange {
    /// The parts of a range as they come, in order. One reading at a time has them: a second one is refused with kind
    /// ``ErrorKind/configuration``. When nobody holds them any more, parts on their way end.
    public final class Parts: AsyncSequence, AsyncIteratorProtocol, Sendable {
        enum Reader: Sendable {
            case requested(RequestedParts<MockResponse>)
            case known(KnownParts<MockResponse>)
        }

        let reader: Reader

        init(_ source: Source) {
            reader =
                switch source {
                case .requested(let range): .requested(RequestedParts(range))
                case .known(let range): .known(KnownParts(range))
                }
        }

        /// These parts: what one loop leaves, another goes on with.
        public func makeAsyncIterator() -> Parts { self }

        /// The next part; `nil` after the last, after the error that ended the range, and after ``close()``.
        ///
        /// - Throws: ``VitalwireError``, whose ``VitalwireError/resumeToken`` has what was not handed out; of a cancelled task too.
        public func next() async throws -> Part? {
            switch reader {
            case .requested(let parts): try await parts.next()
            case .known(let parts): try parts.next()
            }
        }

        /// How far the range is, as of the last part that was handed out.
        public var progress: RangeProgress? {
            switch reader {
            case .requested(let parts): parts.progress
            case .known(let parts): parts.last?.progress
            }
        }

        /// A token for all parts that have failed or were not handed out, at any time; `nil` if nothing is left.
        public var resumeToken: ResumeToken? {
            switch reader {
            case .requested(let parts): parts.resumeToken
            case .known(let parts): parts.last?.resumeToken
            }
        }

        /// Ends what is on its way, a reading too.
        public func close() {
            switch reader {
            case .requested(let parts): parts.close()
            case .known(let parts): parts.close()
            }
        }
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
        public let result: Result<MockResponse, VitalwireError>
        /// How far the range is with this part.
        public let progress: RangeProgress
        /// What is left after this part, to be stored with it; `nil` after the last.
        public let resumeToken: ResumeToken?

        /// The answer; of a part that failed its error.
        public var answer: MockResponse { get throws { try result.get() } }

        /// One that is not a client's, for fakes.
        package init(
            index: Int, days: ClosedRange<CalendarDate>?, time: Range<Date>?, result: Result<MockResponse, VitalwireError>,
            progress: RangeProgress, resumeToken: ResumeToken?
        ) {
            (self.index, self.days, self.time, self.result) = (index, days, time, result)
            (self.progress, self.resumeToken, duplicates) = (progress, resumeToken, 0)
        }

        init(_ native: RangePart, _ range: RequestedRange<MockResponse>, _ progress: RangeProgress, _ left: ResumeToken?) throws {
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
