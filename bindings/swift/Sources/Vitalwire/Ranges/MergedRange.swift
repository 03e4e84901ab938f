import Foundation
internal import VitalwireFFI

/// The merged responses to the parts of a range, and what is missing.
public struct MergedRange<Response: Sendable>: Sendable {
    /// The merged response.
    public let response: Response
    /// The parts that were read, in order.
    public let parts: [MergedPart]
    /// The parts that failed; empty without ``RangeOptions/collectsFailures``.
    public let failures: [FailedPart]
    /// Number of items that were left out because the previous part had them.
    public let duplicates: Int
    /// The first 100 list items that could not be decoded and were left out, in the order of the parts.
    public let skippedItems: [SkippedItem]
    /// Number of list items that were left out. It may exceed the number of `skippedItems`.
    public let skippedCount: Int
    /// A token for the parts that are missing; `nil` if nothing is missing.
    public let resumeToken: ResumeToken?

    /// The native range, which can be joined; `nil` for fakes.
    private let joined: (native: NativeMerged, range: RequestedRange<Response>)?

    init(_ native: NativeMerged, _ range: RequestedRange<Response>) throws {
        response = try range.response(native)
        parts = native.parts().map { MergedPart($0) }
        failures = native.failures().compactMap { part in
            part.failure.map { FailedPart(index: Int(part.index), error: range.error($0)) }
        }
        duplicates = Int(clamping: native.duplicates())
        skippedItems = native.skippedItems().map { SkippedItem(jsonPath: $0.jsonPath, reason: $0.reason, json: $0.json) }
        skippedCount = Int(clamping: native.skippedCount())
        resumeToken = try native.left().map { try ResumeToken($0) }
        joined = (native, range)
    }

    /// Creates the merged range of a fake.
    init(_ response: Response, of known: [RangePart<Response>]) {
        self.response = response
        var items = 0
        parts = known.map { part in
            defer { items = Swift.max(items, part.progress.items) }
            return MergedPart(index: part.index, days: part.days, time: part.time, items: items..<Swift.max(items, part.progress.items))
        }
        failures = known.compactMap { part in
            guard case .failure(let error) = part.result else { return nil }
            return FailedPart(index: part.index, error: error)
        }
        (duplicates, skippedItems, skippedCount) = (0, [], 0)
        (resumeToken, joined) = (known.last?.resumeToken, nil)
    }

    /// Merges this with what a later run of the same call read, in the order of the parts. A part that both have is taken from this one.
    ///
    /// - Throws: ``VitalwireError`` of kind ``ErrorKind/invalidArgument`` where the other is of another call, or one is a fake's.
    public func joined(with later: MergedRange) throws -> MergedRange {
        guard let joined, let later = later.joined else { throw VitalwireError(.invalidArgument, "a range of a fake cannot be joined") }
        return try MergedRange(try translated { try joined.native.join(later: later.native) }, joined.range)
    }
}

/// A part that failed.
public struct FailedPart: Sendable {
    /// Index among the parts of the whole range, from 0.
    public let index: Int
    /// The error.
    public let error: VitalwireError
}

/// The indexes of one part's items in the merged response.
public struct MergedPart: Hashable, Sendable {
    /// Index among the parts of the whole range, from 0.
    public let index: Int
    /// The days of the part, if the range is one of days.
    public let days: ClosedRange<CalendarDate>?
    /// The time of the part, if the range is one of time and not open.
    public let time: Range<Date>?
    /// Indexes of its items in the merged list.
    public let items: Range<Int>

    init(index: Int, days: ClosedRange<CalendarDate>?, time: Range<Date>?, items: Range<Int>) {
        (self.index, self.days, self.time, self.items) = (index, days, time, items)
    }

    init(_ native: VitalwireFFI.MergedPart) {
        (index, days, time) = (Int(native.index), native.range?.days, native.range?.time)
        let (start, end) = (Int(clamping: native.start), Int(clamping: native.end))
        items = start..<Swift.max(start, end)
    }
}

extension MergedPart: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The index, without bounds.
    public var description: String { "MergedPart(index \(index))" }

    /// Same as `description`.
    public var debugDescription: String { description }

    /// An empty mirror, so that `dump` shows no values.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension MergedRange: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The numbers of parts, duplicates and failures, without values.
    public var description: String { "MergedRange(parts \(parts.count), duplicates \(duplicates), failures \(failures.count))" }

    /// Same as `description`.
    public var debugDescription: String { description }

    /// An empty mirror, so that `dump` shows no values.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension VitalwireError {
    /// Returns what was read of a range before it ended early.
    public func soFar<Response: Sendable>(of range: RangeCall<Response>) -> MergedRange<Response>? {
        merged as? MergedRange<Response>
    }
}
