import Foundation
internal import VitalwireFFI

/// A day of the Gregorian calendar, without time and time zone.
public struct CalendarDate: Hashable, Comparable, Sendable {
    /// Year, -9999 to 9999.
    public let year: Int
    /// Month, 1 to 12.
    public let month: Int
    /// Day of the month, from 1.
    public let day: Int

    /// A day of the calendar; `nil` for one that it does not have, such as the 30th of February.
    public init?(year: Int, month: Int, day: Int) {
        guard let year = Int16(exactly: year), let month = Int8(exactly: month), let day = Int8(exactly: day),
            dateIsValid(date: .init(year: year, month: month, day: day))
        else { return nil }
        self.init(VitalwireFFI.CalendarDate(year: year, month: month, day: day))
    }

    /// The day that an instant falls on in a time zone.
    public init(_ date: Date, in zone: TimeZone) {
        let parts = Self.gregorian(zone).dateComponents([.year, .month, .day, .era], from: date)
        (year, month, day) = (parts.year ?? 1970, parts.month ?? 1, parts.day ?? 1)
    }

    /// The day of components; `nil` where they have no year, month or day, or one that the calendar does not have.
    public init?(_ components: DateComponents) {
        guard let year = components.year, let month = components.month, let day = components.day else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// The day as components of the Gregorian calendar in a time zone, without a time.
    public func components(in zone: TimeZone) -> DateComponents {
        DateComponents(calendar: Self.gregorian(zone), timeZone: zone, year: year, month: month, day: day)
    }

    /// The first instant of the day in a time zone; `nil` where the day does not begin there.
    public func start(in zone: TimeZone) -> Date? { components(in: zone).date }

    public static func < (one: CalendarDate, other: CalendarDate) -> Bool {
        (one.year, one.month, one.day) < (other.year, other.month, other.day)
    }

    /// 1970-01-01.
    public static let unixEpoch = CalendarDate(VitalwireFFI.CalendarDate(year: 1970, month: 1, day: 1))

    init(_ native: VitalwireFFI.CalendarDate) {
        (year, month, day) = (Int(native.year), Int(native.month), Int(native.day))
    }

    var native: VitalwireFFI.CalendarDate {
        .init(year: Int16(clamping: year), month: Int8(clamping: month), day: Int8(clamping: day))
    }

    private static func gregorian(_ zone: TimeZone) -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        return calendar
    }
}

/// As text: `2025-03-02`.
///
/// `description` is that text, because a program that asks for it wants it. A record that holds the date shows no part of it, and
/// `dump` of the date itself shows none.
extension CalendarDate: LosslessStringConvertible, Codable {
    /// From `YYYY-MM-DD`.
    public init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts.map(\.count) == [4, 2, 2], parts.allSatisfy({ $0.allSatisfy(\.isNumber) }),
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    public var description: String {
        func padded(_ number: Int, _ width: Int) -> String {
            let digits = String(number.magnitude)
            return (number < 0 ? "-" : "") + String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }

    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        guard let date = CalendarDate(try value.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: value, debugDescription: "no date")
        }
        self = date
    }

    public func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(description)
    }
}

extension CalendarDate: CustomDebugStringConvertible, CustomReflectable {
    /// Shows the type, not the day.
    public var debugDescription: String { "CalendarDate(..)" }

    /// Shows nothing to `dump` either.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
