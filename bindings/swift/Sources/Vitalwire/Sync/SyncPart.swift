import Foundation
internal import VitalwireFFI

/// The changes of a span of days, and the state after them.
///
/// Apply the changes and store ``state`` in one transaction. Without transactions, store ``stateBefore``, apply the changes, then store
/// ``state``: if the application ends in between, the next sync returns the changes again, or their opposite.
public struct SyncPart: Sendable {
    /// Days that were read.
    public let days: ClosedRange<CalendarDate>
    /// Kinds that were read.
    public let kinds: [RecordKind]
    /// Changes, in the order in which they must be applied.
    public let changes: [Change]
    /// State to store after the changes. It is all that the next sync needs.
    public let state: Data
    /// State to store before the changes, if changes and state are not stored in one transaction.
    public let stateBefore: Data
    /// Number of the state after the changes. Every later state of a copy raises it.
    public let generation: UInt64
    /// Progress of the sync, including this part.
    public let progress: SyncProgress
    /// Whether the sync has more parts.
    public let hasMore: Bool
    /// Number of items and values of the responses that are left out: they cannot be decoded, or are listed sleeps that are not found.
    /// Their days stay due, and no record is removed because of them.
    public let leftOut: Int

    private let tables: SyncTables?

    /// Returns the rows of all records of a kind that were read, changed or not; `nil` if the part does not have the kind.
    public func table(_ kind: RecordKind) -> ColumnTable? { tables?.table(kind: kind.native).map { ColumnTable($0) } }

    /// Creates a part without tables, for tests and previews.
    public init(days: ClosedRange<CalendarDate>, changes: [Change], state: Data) {
        (self.days, self.changes, self.state, stateBefore) = (days, changes, state, state)
        kinds = RecordKind.allCases.filter { kind in changes.contains { $0.kind == kind } }
        (generation, hasMore, leftOut, tables) = (0, false, 0, nil)
        progress = SyncProgress(doneDays: 1, totalDays: 1)
    }

    init(_ native: VitalwireFFI.SyncPart) {
        days = native.days.closedRange
        kinds = native.kinds.map { RecordKind($0) }
        changes = native.changes.map { Change($0) }
        (state, stateBefore, generation) = (native.state, native.stateBefore, native.generation)
        progress = SyncProgress(doneDays: Int(clamping: native.doneDays), totalDays: Int(clamping: native.totalDays))
        (hasMore, leftOut, tables) = (native.hasMore, Int(clamping: native.leftOut), native.tables)
    }
}

/// The progress of a sync. Days of different kinds count separately.
public struct SyncProgress: Hashable, Sendable {
    /// Number of days that are done, including those that could not be read.
    public let doneDays: Int
    /// Number of days of the whole sync.
    public let totalDays: Int

    /// Completed fraction from 0 to 1, for a `ProgressView`.
    public var fraction: Double { totalDays == 0 ? 0 : Double(doneDays) / Double(totalDays) }
}

extension VitalwireFFI.DayRange {
    var closedRange: ClosedRange<CalendarDate> { CalendarDate(first)...CalendarDate(last) }
}

extension SyncPart: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The number of changes and the progress, without days, ids and values.
    public var description: String { "SyncPart(\(changes.count) changes, \(progress.doneDays) of \(progress.totalDays) days)" }

    /// Same as `description`.
    public var debugDescription: String { description }

    /// An empty mirror, so that `dump` shows no values.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
