import Foundation
internal import VitalwireFFI

/// How a record has changed.
public enum ChangeType: String, Codable, Hashable, Sendable {
    /// The record is new.
    case added
    /// The record has other content, or belongs to another day.
    case changed
    /// The service no longer returns the record.
    case removed
    /// A day before the look-back has changed. Remove all records of this kind whose day is ``Change/day``. Those that still exist follow
    /// as added or changed.
    case dayRemoved = "day_removed"

    init(_ native: VitalwireFFI.ChangeType) {
        self =
            switch native {
            case .added: .added
            case .changed: .changed
            case .removed: .removed
            case .dayRemoved: .dayRemoved
            }
    }
}

/// A change of a record. Apply changes in their order. Insert or replace added and changed records by ``kind`` and ``id``.
public struct Change: Hashable, Sendable {
    /// Kind of the record.
    public let kind: RecordKind
    /// How the record has changed.
    public let type: ChangeType
    /// Id of the record: a date, the start of an hour, or the id that the service gave it. `nil` for ``ChangeType/dayRemoved``.
    public let id: String?
    /// Day of the record. Store it with the record, because ``ChangeType/dayRemoved`` names days.
    ///
    /// `nil` if it is not certain by which day the service selects the record. Such a record is always removed by its id.
    public let day: CalendarDate?
    /// Content key before the change: a keyed digest of the content. `nil` for a new record, and for a record of a day before the
    /// look-back.
    public let before: String?
    /// Content key after the change; `nil` for a removed record.
    public let after: String?
    /// The rows of the record as JSON objects, by column. Columns without a value are left out. Most records have one row; a removed record
    /// has none.
    public let jsonRows: [String]

    /// Creates a change, for tests and previews.
    public init(_ kind: RecordKind, _ type: ChangeType, id: String?, day: CalendarDate?, jsonRows: [String] = []) {
        (self.kind, self.type, self.id, self.day, self.jsonRows) = (kind, type, id, day, jsonRows)
        (before, after) = (nil, nil)
    }

    init(_ native: SyncChange) {
        (kind, type) = (RecordKind(native.kind), ChangeType(native.changeType))
        (id, day) = (native.id, native.day.map { CalendarDate($0) })
        (before, after, jsonRows) = (native.before, native.after, native.jsonRows)
    }
}

extension Change: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The kind and the type, without id, day and values.
    public var description: String { "Change(\(kind) \(type))" }

    /// Same as `description`.
    public var debugDescription: String { description }

    /// An empty mirror, so that `dump` shows no values.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
