import Foundation
import Vitalwire

private let secondsPerDay: Int64 = 86_400

/// Pads a number with zeros.
private func padded(_ number: some BinaryInteger, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
}

/// Returns the quotient rounded down, and the remainder, which is never negative.
private func flooredDivision(_ number: Int64, by divisor: Int64) -> (Int64, Int64) {
    let rest = ((number % divisor) + divisor) % divisor
    return ((number - rest) / divisor, rest)
}

/// Returns the days from 1970-01-01 to a day of the Gregorian calendar.
private func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    // Years begin in March, so that a leap day is the last day of a year.
    let year = month <= 2 ? year - 1 : year
    let (era, yearOfEra) = flooredDivision(year, by: 400)
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
}

/// Returns year, month and day of a number of days after 1970-01-01.
private func calendarDate(_ days: Int64) -> (Int64, Int64, Int64) {
    let (era, dayOfEra) = flooredDivision(days + 719_468, by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let part = (5 * dayOfYear + 2) / 153
    let month = part < 10 ? part + 3 : part - 9
    return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * part + 2) / 5 + 1)
}

extension Timestamp: Canonical {
    func canonical(_: Reading) -> JSON {
        let (days, second) = flooredDivision(seconds, by: secondsPerDay)
        let (year, month, day) = calendarDate(days)
        var fraction = nanoseconds == 0 ? "" : "." + padded(nanoseconds, 9)
        while fraction.hasSuffix("0") { fraction.removeLast() }
        let time = [second / 3600, second / 60 % 60, second % 60].map { padded($0, 2) }.joined(separator: ":")
        return .text("\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T\(time)\(fraction)Z")
    }
}

extension CalendarDate: Canonical {
    func canonical(_: Reading) -> JSON { .text("\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))") }
}

extension Timestamp: ArgumentValue {
    /// Parses `YYYY-MM-DDTHH:MM:SS[.fraction]` with `Z`, an offset or nothing. Defaults to UTC.
    init(given: JSON) throws {
        let text = Array(given.text ?? "")
        func number(_ from: Int, _ to: Int) throws -> Int64 {
            guard to <= text.count, let value = Int64(String(text[from..<to])) else { throw Unplayable(what: "no instant") }
            return value
        }
        let date = days(try number(0, 4), try number(5, 7), try number(8, 10))
        let time = try number(11, 13) * 3600 + number(14, 16) * 60 + number(17, 19)
        var end = 19
        var fraction = ""
        if end < text.count, text[end] == "." {
            fraction = String(text[(end + 1)...].prefix { $0.isNumber })
            end += 1 + fraction.count
        }
        var away: Int64 = 0
        if end < text.count, text[end] != "Z" {
            away = try number(end + 1, end + 3) * 3600 + number(end + 4, end + 6) * 60
            if text[end] == "-" { away = -away }
        }
        let nanoseconds = Int(fraction.padding(toLength: 9, withPad: "0", startingAt: 0)) ?? 0
        self.init(seconds: date * secondsPerDay + time - away, nanoseconds: nanoseconds)
    }
}

extension Date: ArgumentValue {
    init(given: JSON) throws { self = try Timestamp(given: given).date }
}

extension CalendarDate: ArgumentValue {
    init(given: JSON) throws {
        guard let date = CalendarDate(given.text ?? "") else { throw Unplayable(what: "no date") }
        self = date
    }
}
