import Foundation
import Vitalwire

extension RangeCall {
    /// A range that was read, for a fake to give.
    ///
    /// - Parameters:
    ///   - whole: What `collect()` returns.
    ///   - parts: What a loop reads; the whole as one part by default.
    public static func ended(_ whole: Response, after parts: [RangePart<Response>]? = nil) -> RangeCall {
        RangeCall(known: parts ?? [.fake(whole)], end: .success(whole))
    }

    /// A range that fails, for a fake to give.
    ///
    /// - Parameters:
    ///   - error: What `collect()` and a loop throw.
    ///   - parts: What a loop reads before.
    ///   - soFar: What the error has of what was read; for a ``VitalwireError`` only.
    public static func failing(_ error: any Error, after parts: [RangePart<Response>] = [], soFar: Response? = nil) -> RangeCall {
        RangeCall(known: parts, end: .failure(error), soFar: soFar)
    }
}

extension RangePart {
    /// A part made by hand, for a fake to give.
    ///
    /// - Parameters:
    ///   - response: The response to the part.
    ///   - index: Index among the parts, from 0.
    ///   - total: How many parts there are.
    ///   - items: Items so far, those of the part included.
    ///   - days: The days of the part, if the range is one of days.
    ///   - time: The time of the part, if the range is one of time.
    ///   - resumeToken: What is left after it.
    public static func fake(
        _ response: Response, index: Int = 0, of total: Int = 1, items: Int = 0, days: ClosedRange<CalendarDate>? = nil,
        time: Range<Date>? = nil, resumeToken: ResumeToken? = nil
    ) -> Self {
        fake(.success(response), index, total, items, days, time, resumeToken)
    }

    /// A part that failed, for a fake to give: such as one has with ``RangeOptions/collectsFailures``.
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
    /// A search that finds these nights, for a fake to give.
    public static func ended(_ nights: [Night]) -> NightSearch { NightSearch(known: nights) }

    /// A search that fails, for a fake to give.
    ///
    /// - Parameters:
    ///   - error: What `collect()` and a loop throw; a ``VitalwireError`` has the nights.
    ///   - nights: What a loop finds before.
    public static func failing(_ error: any Error, after nights: [Night] = []) -> NightSearch { NightSearch(known: nights, error: error) }
}
