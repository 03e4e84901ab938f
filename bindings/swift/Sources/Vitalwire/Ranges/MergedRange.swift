import Foundation
internal import VitalwireFFI

/// The merged response of a range, with the parts that are missing.
public struct MergedRange<Response: Sendable>: Sendable {
    /// Merged response.
    public let response: Response
    /// Parts that were read, in order.
    public let parts: [MergedPart]
    /// Parts that failed; empty without ``RangeOptions/collectsFailures``.
    public let failures: [FailedPart]
    /// Number of duplicate items that were left out because the previous part contained them.
    public let duplicates: Int
    /// Skipped items: the first 100 list items that could not be decoded, in the order of the parts.
    public let skippedItems: [SkippedItem]
    /// Number of all skipped items. May exceed the number of `skippedItems`.
    public let skippedCount: Int
    /// Resume token for the missing parts; `nil` if none are missing.
    public let resumeToken: ResumeToken?

    /// The native range, which can be merged; `nil` for fakes.
    private let mergeable: (native: NativeMerged, range: RequestedRange<Response>)?

    init(_ native: NativeMerged, _ range: RequestedRange<Response>) throws {
        response = try range.response(native)
        parts = native.parts().map { MergedPart($0) }
        failures = native.failures().compactMap { part in
            part.failure.map { FailedPart(index: Int(part.index), error: range.error($0)) }
        }
        duplicates = Int(clamping: native.duplicates())
        skippedItems = native.skippedItems().map { SkippedItem(jsonPath: $0.jsonPath, reason: $0.reason, json: $0.json) }
        skippedCount = Int(clamping: native.skippedCount())
        resumeToken = try native.resumeToken().map { try ResumeToken($0) }
        mergeable = (native, range)
    }

    /// Creates the merged range of a fake without failures.
    init(_ response: Response, parts: [MergedPart]) {
        (self.response, self.parts) = (response, parts)
        (failures, duplicates, skippedItems, skippedCount, resumeToken, mergeable) = ([], 0, [], 0, nil, nil)
    }

    /// Creates a merged range for tests.
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
        (resumeToken, mergeable) = (known.last?.resumeToken, nil)
    }

    /// Merges this range with the result of a later run of the same call.
    ///
    /// Parts stay in order. If both have a part, this range's part is used.
    ///
    /// - Throws: ``VitalwireError`` of kind ``ErrorKind/invalidArgument`` if the ranges belong to different calls, or if one is a fake.
    public func merging(_ later: MergedRange) throws -> MergedRange {
        guard let mergeable, let later = later.mergeable else {
            throw VitalwireError(.invalidArgument, "a range that was created for a fake cannot be merged; merge ranges that a client read")
        }
        return try MergedRange(try translateErrors { try mergeable.native.merge(later: later.native) }, mergeable.range)
    }
}

/// A failed part of a range.
public struct FailedPart: Sendable {
    /// Index of the part in the whole range, from 0.
    public let index: Int
    /// Error of the part.
    public let error: VitalwireError
}

/// A part of a merged range, with the position of its items in the merged list.
public struct MergedPart: Hashable, Sendable {
    /// Index of the part in the whole range, from 0.
    public let index: Int
    /// Days of the part; `nil` in a range of times.
    public let days: ClosedRange<CalendarDate>?
    /// Time span of the part; `nil` in a range of days or an open range.
    public let time: Range<Date>?
    /// Indexes of the part's items in the merged list.
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
    /// Returns the parts that a failed range call has read; `nil` if there are none.
    public func partialResult<Response: Sendable>(of range: RangeCall<Response>) -> MergedRange<Response>? {
        merged as? MergedRange<Response>
    }
}
