import Foundation

extension Timestamp {
    /// The instant as a `Date`, which holds about six decimals of a second.
    public var date: Date { Date(timeIntervalSince1970: Double(seconds) + Double(nanoseconds) / 1_000_000_000) }

    /// From a `Date`; `nil` where it is infinite, not a number, or its seconds do not fit in 64 bits.
    public init?(_ date: Date) {
        let whole = date.timeIntervalSince1970.rounded(.down)
        guard let seconds = Int64(exactly: whole) else { return nil }
        let rest = ((date.timeIntervalSince1970 - whole) * 1_000_000_000).rounded(.down)
        self.init(seconds: seconds, nanoseconds: UInt32(min(rest, 999_999_999)))
    }
}

extension CalendarDate {
    /// The date as components of the Gregorian calendar, without time and time zone.
    public var components: DateComponents {
        DateComponents(calendar: Calendar(identifier: .gregorian), year: Int(year), month: Int(month), day: Int(day))
    }
}
