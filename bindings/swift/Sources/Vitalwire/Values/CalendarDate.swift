import Foundation
internal import VitalwireFFI

/// A day of the Gregorian calendar, without a time or a time zone.
public struct CalendarDate: Hashable, Comparable, Sendable {
    /// Year in -9999...9999.
    public let year: Int
    /// Month in 1...12.
    public let month: Int
    /// Day of the month, from 1.
    public let day: Int

    /// Creates a date from its parts; `nil` if the calendar has no such day, such as February 30.
    public init?(year: Int, month: Int, day: Int) {
        guard let year = Int16(exactly: year), let month = Int8(exactly: month), let day = Int8(exactly: day),
            dateIsValid(date: .init(year: year, month: month, day: day))
        else { return nil }
        self.init(VitalwireFFI.CalendarDate(year: year, month: month, day: day))
    }

    /// Creates the date of an instant in a time zone. An instant outside the years -9999 to 9999 gives the nearest date.
    public init(_ date: Date, in zone: TimeZone) {
        let seconds = date.timeIntervalSince1970 + Double(zone.secondsFromGMT(for: date))
        self.init(daysSince1970: Int(max(-1e9, min(1e9, (seconds / Self.secondsPerDay).rounded(.down)))))
    }

    /// Creates a date from components in their calendar. The calendar defaults to the Gregorian one.
    ///
    /// Returns `nil` if the year, the month or the day is missing, or if the calendar has no such day.
    public init?(_ components: DateComponents) {
        guard let year = components.year, let month = components.month, let day = components.day else { return nil }
        let calendar = components.calendar ?? Calendar(identifier: .gregorian)
        guard [.gregorian, .iso8601].contains(calendar.identifier) else {
            self.init(components, in: calendar)
            return
        }
        // Foundation switches to the Julian calendar before 1582, so the numbers are used directly. Year 0 is year 1 of era 0 (1 BC).
        self.init(year: components.era == 0 ? 1 - year : year, month: month, day: day)
    }

    /// Converts components of a calendar other than the Gregorian one.
    private init?(_ components: DateComponents, in calendar: Calendar) {
        // In GMT every day has a noon, because the offset never changes.
        var (calendar, noon) = (calendar, DateComponents())
        calendar.timeZone = .gmt
        (noon.era, noon.year, noon.month, noon.day, noon.hour) = (components.era, components.year, components.month, components.day, 12)
        if components.isLeapMonth == true { noon.isLeapMonth = true }
        guard let date = calendar.date(from: noon) else { return nil }
        // `date(from:)` turns a day that does not exist into another day.
        let back = calendar.dateComponents([.era, .year, .month, .day], from: date)
        let isSame = back.year == noon.year && back.month == noon.month && back.day == noon.day
        guard isSame, noon.era == nil || back.era == noon.era else { return nil }
        self.init(date, in: .gmt)
    }

    /// Returns the date as components of the Gregorian calendar in a time zone, without a time. Years before 1 are in era 0.
    public func components(in zone: TimeZone) -> DateComponents {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let isBefore = year < 1
        return DateComponents(
            calendar: calendar, timeZone: zone, era: isBefore ? 0 : nil, year: isBefore ? 1 - year : year, month: month, day: day)
    }

    /// Returns the first instant of the day in a time zone; `nil` if the zone skipped the day.
    ///
    /// The day starts later than midnight if clocks move forward at midnight.
    public func start(in zone: TimeZone) -> Date? {
        let midnight = Date(timeIntervalSince1970: Double(daysSince1970) * Self.secondsPerDay)
        // The day begins with the UTC offset of the previous or the next day, or it does not exist in this time zone.
        let offsets = [-1.5, 1.5].map { zone.secondsFromGMT(for: midnight.addingTimeInterval($0 * Self.secondsPerDay)) }
        let possible = offsets.map { midnight.addingTimeInterval(-Double($0)) }.sorted()
        guard var start = possible.first(where: { CalendarDate($0, in: zone) == self }) else { return nil }
        // If clocks move forward across midnight, the day starts at that change, earlier than the computed midnight.
        while CalendarDate(start.addingTimeInterval(-60), in: zone) == self { start.addTimeInterval(-60) }
        return start
    }

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

    private static let secondsPerDay = 86_400.0
    /// Days in 400 years, the cycle of the Gregorian calendar.
    private static let daysPerCycle = 146_097
    /// Days from 0000-03-01 to 1970-01-01. A cycle begins on March 1, so that it ends with a leap day.
    private static let daysUntil1970 = 719_468

    /// Number of days since 1970-01-01. Years begin in March, so that a leap day is the last day of its year.
    private var daysSince1970: Int {
        let (counted, fromMarch) = (month > 2 ? year : year - 1, (month + 9) % 12)
        let cycle = (counted >= 0 ? counted : counted - 399) / 400
        let ofCycle = counted - cycle * 400
        let ofYear = (153 * fromMarch + 2) / 5 + day - 1
        return cycle * Self.daysPerCycle + ofCycle * 365 + ofCycle / 4 - ofCycle / 100 + ofYear - Self.daysUntil1970
    }

    private init(daysSince1970 days: Int) {
        let since = days + Self.daysUntil1970
        let cycle = (since >= 0 ? since : since - (Self.daysPerCycle - 1)) / Self.daysPerCycle
        let ofCycle = since - cycle * Self.daysPerCycle
        let yearOfCycle = (ofCycle - ofCycle / 1_460 + ofCycle / 36_524 - ofCycle / 146_096) / 365
        let ofYear = ofCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
        let fromMarch = (5 * ofYear + 2) / 153
        let month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
        let year = yearOfCycle + cycle * 400 + (month < 3 ? 1 : 0)
        switch year {
        case ..<(-9_999): (self.year, self.month, self.day) = (-9_999, 1, 1)
        case 10_000...: (self.year, self.month, self.day) = (9_999, 12, 31)
        default: (self.year, self.month, self.day) = (year, month, ofYear - (153 * fromMarch + 2) / 5 + 1)
        }
    }
}

/// Conversion from and to text, such as `2025-03-02`.
///
/// Only `description` returns the text. `debugDescription`, `dump` and a record that contains the date do not show the date.
extension CalendarDate: LosslessStringConvertible, Codable {
    /// Parses `YYYY-MM-DD`, with a minus sign before a negative year.
    public init?(_ text: String) {
        let isNegative = text.hasPrefix("-")
        let parts = text.dropFirst(isNegative ? 1 : 0).split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts.map(\.count) == [4, 2, 2], parts.allSatisfy({ $0.allSatisfy(\.isNumber) }),
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]), !(isNegative && year == 0)
        else { return nil }
        self.init(year: isNegative ? -year : year, month: month, day: day)
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
            throw DecodingError.dataCorruptedError(in: value, debugDescription: "must be a date such as 2025-03-02")
        }
        self = date
    }

    public func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(description)
    }
}

extension CalendarDate: CustomDebugStringConvertible, CustomReflectable {
    /// The type name, without the day.
    public var debugDescription: String { "CalendarDate(..)" }

    /// An empty mirror, so that `dump` shows no values.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
