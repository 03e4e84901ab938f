import Foundation
internal import VitalwireFFI

/// A token that resumes a range with the parts that were not read. Pass it to a later run of the same call as ``RangeOptions/resume``.
///
/// The token is `Codable` and can be stored. It contains the operation, the bounds of the range, the remaining parts and a hash of the
/// other parameters. It contains no access token and no data that was read. It identifies the person only by a hash of
/// ``RangeOptions/resumeKey``.
public struct ResumeToken: Hashable, Sendable {
    /// Text of the token, for storage.
    public let text: String
    /// Id of the operation.
    public let operation: String
    /// Number of remaining parts.
    public let partsLeft: Int
    /// Days of the whole range; `nil` for a range of times.
    public let days: ClosedRange<CalendarDate>?
    /// Time span of the whole range; `nil` for a range of days or an open range.
    public let time: Range<Date>?

    /// Parses the text of a stored token.
    ///
    /// - Throws: ``VitalwireError`` of kind ``ErrorKind/invalidArgument`` if the text is not a resume token.
    public init(_ text: String) throws {
        let contents = try translateErrors { try parseResumeToken(text: text) }
        (self.text, operation, partsLeft) = (text, contents.operation, Int(contents.partsLeft))
        (days, time) = (contents.range?.days, contents.range?.time)
    }
}

extension ResumeToken: Codable {
    /// Decodes the text of a token. Throws `DecodingError` if the text is not a resume token.
    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        do {
            try self.init(value.decode(String.self))
        } catch is VitalwireError {
            throw DecodingError.dataCorruptedError(in: value, debugDescription: "must be the text of a resume token")
        }
    }

    /// Encodes the text of the token.
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
    /// Range of days; `nil` for instants. Also `nil` for bounds in the wrong order, because a Swift range would trap.
    var days: ClosedRange<CalendarDate>? {
        guard case .dates(let first, let last) = self else { return nil }
        let (one, other) = (CalendarDate(first), CalendarDate(last))
        return one <= other ? one...other : nil
    }

    /// Range of instants; `nil` for days and for bounds in the wrong order.
    var time: Range<Date>? {
        guard case .instants(let start, let end) = self else { return nil }
        let (one, other) = (Timestamp(start).date, Timestamp(end).date)
        return one <= other ? one..<other : nil
    }
}
