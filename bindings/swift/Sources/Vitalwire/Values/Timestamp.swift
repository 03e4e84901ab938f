import Foundation
internal import VitalwireFFI

/// An instant, exact to the nanosecond. Records have it beside a `Date`, which holds about six decimals of a second.
public struct Timestamp: Hashable, Comparable, Sendable {
    /// Whole seconds since 1970-01-01T00:00:00Z, rounded down.
    public let seconds: Int64
    /// Nanoseconds after them, 0 to 999,999,999.
    public let nanoseconds: Int

    /// From its parts; more nanoseconds than a second has are the last of it.
    public init(seconds: Int64, nanoseconds: Int) {
        self.seconds = seconds
        self.nanoseconds = min(max(nanoseconds, 0), 999_999_999)
    }

    /// The instant of a `Date`, rounded to the microsecond, which is about what a `Date` of our time holds; one beyond what 64 bits
    /// of seconds hold is the nearest that they hold.
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

    /// The instant as a `Date`.
    public var date: Date { Date(timeIntervalSince1970: Double(seconds) + Double(nanoseconds) / 1_000_000_000) }

    public static func < (one: Timestamp, other: Timestamp) -> Bool {
        (one.seconds, one.nanoseconds) < (other.seconds, other.nanoseconds)
    }

    init(_ native: VitalwireFFI.Timestamp) {
        self.init(seconds: native.seconds, nanoseconds: Int(native.nanoseconds))
    }

    var native: VitalwireFFI.Timestamp { .init(seconds: seconds, nanoseconds: UInt32(nanoseconds)) }
}

/// As text: `2025-03-02T07:30:00.25Z`. Reads every form that the service sends.
extension Timestamp: Codable {
    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        let text = try value.decode(String.self)
        guard let native = timestampOfText(text: text) else {
            throw DecodingError.dataCorruptedError(in: value, debugDescription: "no date and time")
        }
        self.init(native)
    }

    public func encode(to encoder: any Encoder) throws {
        guard let text = timestampText(timestamp: native) else {
            let context = EncodingError.Context(codingPath: encoder.codingPath, debugDescription: "beyond the years -9999 to 9999")
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
