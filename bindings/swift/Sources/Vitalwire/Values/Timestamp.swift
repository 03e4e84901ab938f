import Foundation
internal import VitalwireFFI

/// An instant with nanosecond precision.
///
/// Records have a `Timestamp` next to each `Date`, because a `Date` is only precise to about a microsecond.
public struct Timestamp: Hashable, Comparable, Sendable {
    /// Whole seconds since 1970-01-01T00:00:00Z, rounded down.
    public let seconds: Int64
    /// Nanoseconds within the second, 0 to 999,999,999.
    public let nanoseconds: Int

    /// Creates an instant from its parts. Clamps `nanoseconds` to 0...999,999,999.
    public init(seconds: Int64, nanoseconds: Int) {
        self.seconds = seconds
        self.nanoseconds = min(max(nanoseconds, 0), 999_999_999)
    }

    /// Creates an instant from a `Date`, rounded to the microsecond, which is about the precision of a present-day `Date`.
    ///
    /// Clamps dates beyond 64-bit seconds.
    public init(_ date: Date) {
        let time = date.timeIntervalSince1970
        let whole = time.rounded(.down)
        guard let seconds = Int64(exactly: whole) else {
            self.init(seconds: time.isNaN ? 0 : time < 0 ? .min : .max, nanoseconds: 0)
            return
        }
        let microseconds = Int(((time - whole) * 1_000_000).rounded())
        let carried = microseconds == 1_000_000 && seconds < .max
        self.init(seconds: carried ? seconds + 1 : seconds, nanoseconds: carried ? 0 : microseconds * 1_000)
    }

    /// The instant as a `Date`, rounded to the precision of `Date`.
    public var date: Date { Date(timeIntervalSince1970: Double(seconds) + Double(nanoseconds) / 1_000_000_000) }

    public static func < (one: Timestamp, other: Timestamp) -> Bool {
        (one.seconds, one.nanoseconds) < (other.seconds, other.nanoseconds)
    }

    init(_ native: VitalwireFFI.Timestamp) {
        self.init(seconds: native.seconds, nanoseconds: Int(native.nanoseconds))
    }

    var native: VitalwireFFI.Timestamp { .init(seconds: seconds, nanoseconds: UInt32(nanoseconds)) }
}

/// Conversion from and to text, such as `2025-03-02T07:30:00.25Z`. Decodes every format that the service sends.
extension Timestamp: Codable {
    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        let text = try value.decode(String.self)
        guard let native = parseTimestamp(text: text) else {
            throw DecodingError.dataCorruptedError(in: value, debugDescription: "must be a date and time such as 2025-03-02T07:30:00Z")
        }
        self.init(native)
    }

    public func encode(to encoder: any Encoder) throws {
        guard let text = timestampText(timestamp: native) else {
            let context = EncodingError.Context(codingPath: encoder.codingPath, debugDescription: "the year must be in -9999...9999")
            throw EncodingError.invalidValue(Timestamp.self, context)
        }
        var value = encoder.singleValueContainer()
        try value.encode(text)
    }
}

extension Timestamp: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The type name, without the instant. The time of a sleep is personal.
    public var description: String { "Timestamp(..)" }

    /// Same as `description`.
    public var debugDescription: String { description }

    /// An empty mirror, so that `dump` shows no values.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
