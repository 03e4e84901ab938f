import Foundation
internal import VitalwireFFI

/// The parts of a range that were not read, for a later run of the same call: set it as ``RangeOptions/resume``.
///
/// Its text can be stored, and `Codable` does. It holds the operation, the bounds of the range, the parts that are left and a hash of
/// the other parameters; no access token and nothing that was read. Whose data it is for it holds only as a hash of
/// ``RangeOptions/resumeKey``.
public struct ResumeToken: Hashable, Sendable {
    /// The text to store.
    public let text: String
    /// The operation's id.
    public let operation: String
    /// How many parts are left.
    public let partsLeft: Int
    /// The days of the whole range, if it is one of days.
    public let days: ClosedRange<CalendarDate>?
    /// The whole range, if it is one of time and not open.
    public let time: Range<Date>?

    /// Reads a text that was stored.
    ///
    /// - Throws: ``VitalwireError`` of kind ``ErrorKind/invalidArgument`` where it is no token.
    public init(_ text: String) throws {
        let facts = try translated { try resumeTokenFacts(text: text) }
        (self.text, operation, partsLeft) = (text, facts.operation, Int(facts.partsLeft))
        (days, time) = (facts.range?.days, facts.range?.time)
    }
}

extension ResumeToken: Codable {
    /// Reads the text; what is no token is a `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        do {
            try self.init(value.decode(String.self))
        } catch is VitalwireError {
            throw DecodingError.dataCorruptedError(in: value, debugDescription: "no resume token")
        }
    }

    /// Writes the text.
    public func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(text)
    }
}

extension ResumeToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The operation and the number of parts left, without bounds.
    public var description: String { "ResumeToken(\(operation), \(partsLeft) parts left)" }

    /// Same as `description`.
    public var debugDescription: String { description }

    /// An empty mirror, so that `dump` shows no values.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension RangeBounds {
    /// `nil` of instants. Bounds in the wrong order, which a range of Swift's cannot have, are nobody's.
    var days: ClosedRange<CalendarDate>? {
        guard case .dates(let first, let last) = self else { return nil }
        let (one, other) = (CalendarDate(first), CalendarDate(last))
        return one <= other ? one...other : nil
    }

    /// `nil` of days.
    var time: Range<Date>? {
        guard case .instants(let start, let end) = self else { return nil }
        let (one, other) = (Timestamp(start).date, Timestamp(end).date)
        return one <= other ? one..<other : nil
    }
}
