import Foundation
internal import VitalwireFFI

/// Kinds and days whose records may have changed, such as those that a webhook of your server names.
///
/// An event is no change itself: it makes its days due, and the next sync compares them with the state. A change is therefore reported
/// once, however many events name it.
public struct SyncEvent: Hashable, Sendable {
    private enum Span: Hashable, Sendable {
        case days(ClosedRange<CalendarDate>)
        case times(earliest: Date, latest: Date, user: String?)
    }

    private let kinds: Set<RecordKind>
    private let span: Span

    /// Creates an event of any origin.
    public init(_ kinds: Set<RecordKind>, days: ClosedRange<CalendarDate>) { (self.kinds, span) = (kinds, .days(days)) }

    /// Creates an event from the times of a webhook. It has the days of these times in UTC, and one day before and after.
    ///
    /// For a webhook about changed records, pass the statistics and sleeps with the start of the earliest and the end of the latest record.
    /// For a nutrition record, pass the times of its consumption and upload; for a lab report, those of its collection and
    /// upload.
    ///
    /// - Parameters:
    ///   - kinds: The kinds of records.
    ///   - earliest: The earliest time of the webhook.
    ///   - latest: The latest time of the webhook. Defaults to the earliest one.
    ///   - applicationUserID: The id of the user at the service, if the webhook has it. A sync skips events of other
    ///     users. If all events belong to other users, the sync fails with kind `invalidArgument`.
    public init(_ kinds: Set<RecordKind>, earliest: Date, latest: Date? = nil, applicationUserID: String? = nil) {
        (self.kinds, span) = (kinds, .times(earliest: earliest, latest: latest ?? earliest, user: applicationUserID))
    }

    var native: VitalwireFFI.SyncEvent {
        let kinds = kinds.map(\.native)
        return switch span {
        case .days(let days): .days(kinds: kinds, first: days.lowerBound.native, last: days.upperBound.native)
        case .times(let earliest, let latest, let user):
            .times(kinds: kinds, earliest: Timestamp(earliest).native, latest: Timestamp(latest).native, user: user)
        }
    }
}

extension SyncEvent: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The type name, without user, days and times.
    public var description: String { "SyncEvent(..)" }

    /// Same as `description`.
    public var debugDescription: String { description }

    /// An empty mirror, so that `dump` shows no values.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
