import Foundation
internal import VitalwireFFI

/// An asynchronous sequence of the parts of a range, in order.
///
/// Only one task at a time may read; a second task gets an error of kind ``ErrorKind/configuration``. Requests in flight are cancelled when
/// the last reference is released.
public final class RangeParts<Response: Sendable>: AsyncSequence, AsyncIteratorProtocol, Sendable {
    enum Reader: Sendable {
        case requested(RequestedParts<Response>)
        case fake(FakeParts<Response>)
    }

    let reader: Reader

    init(_ source: RangeCall<Response>.Source) {
        reader =
            switch source {
            case .requested(let range): .requested(RequestedParts(range))
            case .fake(let range): .fake(FakeParts(range))
            }
    }

    /// Returns the sequence itself, so that a second loop continues where the first one stopped.
    public func makeAsyncIterator() -> RangeParts { self }

    /// Returns the next part; `nil` after the last part, after an error and after ``close()``.
    ///
    /// - Throws: ``VitalwireError``, also if the task is cancelled. ``VitalwireError/resumeToken`` contains the parts that were not
    ///   returned.
    public func next() async throws -> RangePart<Response>? {
        switch reader {
        case .requested(let parts): try await parts.next()
        case .fake(let parts): try parts.next()
        }
    }

    /// Progress as of the last returned part; `nil` if there is none.
    public var progress: RangeProgress? {
        switch reader {
        case .requested(let parts): parts.progress
        case .fake(let parts): parts.last?.progress
        }
    }

    /// Current resume token for all parts that failed or were not returned yet; `nil` if there are none.
    public var resumeToken: ResumeToken? {
        switch reader {
        case .requested(let parts): parts.resumeToken
        case .fake(let parts): parts.last?.resumeToken
        }
    }

    /// Stops the range. Cancels requests in flight and a pending ``next()``.
    public func close() {
        switch reader {
        case .requested(let parts): parts.close()
        case .fake(let parts): parts.close()
        }
    }
}

/// A part of a range: its response or its error.
public struct RangePart<Response: Sendable>: Sendable {
    /// Index of the part in the whole range, from 0.
    public let index: Int
    /// Days of the part; `nil` in a range of times.
    public let days: ClosedRange<CalendarDate>?
    /// Time span of the part; `nil` in a range of days or an open range.
    public let time: Range<Date>?
    /// Number of duplicate items that were left out because the previous part contained them.
    public let duplicates: Int
    /// Response or error. Failed parts are only returned with ``RangeOptions/collectsFailures``.
    public let result: Result<Response, VitalwireError>
    /// Progress of the range, including this part.
    public let progress: RangeProgress
    /// Resume token for the parts after this one; `nil` after the last part. Store it together with the part.
    public let resumeToken: ResumeToken?

    /// The response. Throws the error if the part failed.
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
            throw VitalwireError(.internal, "the part has neither a response nor a failure")
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
