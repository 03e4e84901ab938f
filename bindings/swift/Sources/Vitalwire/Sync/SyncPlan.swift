import Foundation
internal import VitalwireFFI

/// The requests of a sync.
public struct SyncPlan: Hashable, Sendable {
    /// Days by kinds that share requests.
    public let days: [PlannedDays]
    /// Estimated number of requests, without retries. Includes the request for the user's information.
    public let requests: Int

    init(_ native: VitalwireFFI.SyncPlan) {
        (days, requests) = (native.days.map { PlannedDays($0) }, Int(clamping: native.requests))
    }
}

/// The days of kinds that share requests.
public struct PlannedDays: Hashable, Sendable {
    /// Kinds of the records.
    public let kinds: [RecordKind]
    /// Days that are due, in ranges.
    public let days: [ClosedRange<CalendarDate>]
    /// Estimated number of requests. One sleep per day is assumed.
    public let requests: Int

    init(_ native: VitalwireFFI.PlannedDays) {
        kinds = native.kinds.map { RecordKind($0) }
        (days, requests) = (native.ranges.map(\.closedRange), Int(clamping: native.requests))
    }
}

extension SyncPlan: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The number of requests, without days.
    public var description: String { "SyncPlan(\(requests) requests)" }

    /// Same as `description`.
    public var debugDescription: String { description }

    /// An empty mirror, so that `dump` shows no values.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension PlannedDays: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The number of requests, without days.
    public var description: String { "PlannedDays(\(requests) requests)" }

    /// Same as `description`.
    public var debugDescription: String { description }

    /// An empty mirror, so that `dump` shows no values.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
