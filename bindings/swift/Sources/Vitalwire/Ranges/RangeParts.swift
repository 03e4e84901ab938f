import Foundation
internal import VitalwireFFI

/// The parts of a range as they arrive, in order. Only one task at a time may read: a second one gets an error of kind
/// ``ErrorKind/configuration``. Running parts end when the last reference is gone.
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

    /// Returns itself: a second loop continues after the first one.
    public func makeAsyncIterator() -> RangeParts { self }

    /// Returns the next part; `nil` after the last part, after the error that ended the range, and after ``close()``.
    ///
    /// - Throws: ``VitalwireError``, also if the task is cancelled. Its ``VitalwireError/resumeToken`` has the parts that were not
    ///   returned.
    public func next() async throws -> RangePart<Response>? {
        switch reader {
        case .requested(let parts): try await parts.next()
        case .known(let parts): try parts.next()
        }
    }

    /// The progress as of the last part that was returned.
    public var progress: RangeProgress? {
        switch reader {
        case .requested(let parts): parts.progress
        case .known(let parts): parts.last?.progress
        }
    }

    /// A token for all parts that have failed or were not returned, at any time; `nil` if nothing is left.
    public var resumeToken: ResumeToken? {
        switch reader {
        case .requested(let parts): parts.resumeToken
        case .known(let parts): parts.last?.resumeToken
        }
    }

    /// Ends running parts, and a reading.
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
    /// Number of items that were left out because the previous part had them.
    public let duplicates: Int
    /// The response or the failure. With ``RangeOptions/collectsFailures`` failed parts are returned too.
    public let result: Result<Response, VitalwireError>
    /// The progress with this part.
    public let progress: RangeProgress
    /// A token for the parts after this one, to be stored with it; `nil` after the last part.
    public let resumeToken: ResumeToken?

    /// The response. Throws the error of a part that failed.
    public var response: Response { get throws { try result.get() } }

    /// Creates a part for fakes.
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
    /// The index and the number of duplicates, without bounds and values.
    public var description: String { "RangePart(index \(index), duplicates \(duplicates))" }

    /// Same as `description`.
    public var debugDescription: String { description }

    /// An empty mirror, so that `dump` shows no values.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
