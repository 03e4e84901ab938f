import Foundation
import Vitalwire

extension RangeCall {
    /// Creates a range that succeeds, for a fake to return.
    ///
    /// - Parameters:
    ///   - whole: The merged response that `collect()` returns. The parts are not merged automatically.
    ///   - parts: The parts that a loop reads. Defaults to one part with the merged response.
    public static func ended(_ whole: Response, after parts: [RangePart<Response>]? = nil) -> RangeCall {
        RangeCall(known: parts ?? [.fake(whole)], end: .success(whole))
    }

    /// Creates a range that fails, for a fake to return.
    ///
    /// - Parameters:
    ///   - error: The error that `collect()` and a loop throw.
    ///   - parts: The parts that a loop reads before the error. Defaults to none.
    ///   - partialResult: The merged response of these parts, for `partialResult(of:)` of a `VitalwireError`. Defaults to `nil`.
    public static func failing(_ error: any Error, after parts: [RangePart<Response>] = [], partialResult: Response? = nil) -> RangeCall {
        RangeCall(known: parts, end: .failure(error), partialResult: partialResult)
    }
}

extension RangePart {
    /// Creates a part of a range, for a fake to return.
    ///
    /// - Parameters:
    ///   - response: The response of the part.
    ///   - index: The index of the part, from 0.
    ///   - total: The number of parts.
    ///   - items: The number of items so far, including this part.
    ///   - days: The days of the part, for a range of days.
    ///   - time: The time span of the part, for a range of times.
    ///   - resumeToken: The resume token for the parts after this one.
    public static func fake(
        _ response: Response, index: Int = 0, of total: Int = 1, items: Int = 0, days: ClosedRange<CalendarDate>? = nil,
        time: Range<Date>? = nil, resumeToken: ResumeToken? = nil
    ) -> Self {
        fake(.success(response), index, total, items, days, time, resumeToken)
    }

    /// Creates a failed part, as returned with `RangeOptions.collectsFailures`, for a fake to return.
    public static func failing(
        _ error: VitalwireError, index: Int = 0, of total: Int = 1, items: Int = 0, days: ClosedRange<CalendarDate>? = nil,
        time: Range<Date>? = nil, resumeToken: ResumeToken? = nil
    ) -> Self {
        fake(.failure(error), index, total, items, days, time, resumeToken)
    }

    private static func fake(
        _ result: Result<Response, VitalwireError>, _ index: Int, _ total: Int, _ items: Int, _ days: ClosedRange<CalendarDate>?,
        _ time: Range<Date>?, _ resumeToken: ResumeToken?
    ) -> Self {
        let progress = RangeProgress(done: index + 1, total: total, items: items)
        return .init(index: index, days: days, time: time, result: result, progress: progress, resumeToken: resumeToken)
    }
}

extension NightSearch {
    /// Creates a search that finds these nights, for a fake to return.
    public static func ended(_ nights: [Night]) -> NightSearch { NightSearch(known: nights) }

    /// Creates a search that fails, for a fake to return.
    ///
    /// - Parameters:
    ///   - error: The error that `collect()` and a loop throw. A `VitalwireError` contains the nights.
    ///   - nights: The nights that a loop finds before the error. Defaults to none.
    public static func failing(_ error: any Error, after nights: [Night] = []) -> NightSearch { NightSearch(known: nights, error: error) }
}
