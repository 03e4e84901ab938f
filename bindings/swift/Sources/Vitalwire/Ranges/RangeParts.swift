import Foundation
internal import VitalwireFFI

/// The parts of a range as they come, in order. One reading at a time has them: a second one is refused with kind
/// ``ErrorKind/configuration``. When nobody holds them any more, parts on their way end.
public final class RangeParts<Response: Sendable>: AsyncSequence, AsyncIteratorProtocol, Sendable {
    enum Reader: Sendable {
        case requested(RequestedParts<Response>)
        case known(KnownParts<Response>)
    }

    let reader: Reader

    init(_ source: RangeCall<Response>.Source) {
        reader =
            switch source {
            case .requested(let range): .requested(RequestedParts(range))
            case .known(let range): .known(KnownParts(range))
            }
    }

    /// These parts: what one loop leaves, another goes on with.
    public func makeAsyncIterator() -> RangeParts { self }

    /// The next part; `nil` after the last, after the error that ended the range, and after ``close()``.
    ///
    /// - Throws: ``VitalwireError``, whose ``VitalwireError/resumeToken`` has what was not handed out; of a cancelled task too.
    public func next() async throws -> RangePart<Response>? {
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

/// The response to one part of a range, or its failure.
public struct RangePart<Response: Sendable>: Sendable {
    /// Index among the parts of the whole range, from 0.
    public let index: Int
    /// The days of the part, if the range is one of days.
    public let days: ClosedRange<CalendarDate>?
    /// The time of the part, if the range is one of time and not open.
    public let time: Range<Date>?
    /// How many items were left out because the part before had them.
    public let duplicates: Int
    /// The response or the failure. With ``RangeOptions/collectsFailures`` failed parts are returned too.
    public let result: Result<Response, VitalwireError>
    /// How far the range is with this part.
    public let progress: RangeProgress
    /// What is left after this part, to be stored with it; `nil` after the last.
    public let resumeToken: ResumeToken?

    /// The response. Throws the error of a part that failed.
    public var response: Response { get throws { try result.get() } }

    /// One that is not a client's, for fakes.
    package init(
        index: Int, days: ClosedRange<CalendarDate>?, time: Range<Date>?, result: Result<Response, VitalwireError>,
        progress: RangeProgress, resumeToken: ResumeToken?
    ) {
        (self.index, self.days, self.time, self.result) = (index, days, time, result)
        (self.progress, self.resumeToken, duplicates) = (progress, resumeToken, 0)
    }

    init(_ native: VitalwireFFI.RangePart, _ range: RequestedRange<Response>, _ progress: RangeProgress, _ left: ResumeToken?) throws {
        (index, days, time) = (Int(native.index), native.range?.days, native.range?.time)
        duplicates = Int(clamping: native.duplicates)
        if let failure = native.failure {
            result = .failure(range.error(failure))
        } else if let response = native.response {
            result = .success(try range.response(response))
        } else {
            throw VitalwireError(.internal, "a part without a response")
        }
        (self.progress, resumeToken) = (progress, left)
    }
}

extension RangePart: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Shows no bounds and no values.
    public var description: String { "RangePart(index \(index), duplicates \(duplicates))" }

    /// Shows no bounds and no values.
    public var debugDescription: String { description }

    /// Shows nothing to `dump` either.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
