// Reads the steps of each day of a year in parts, stops before the end, and reads the rest with the resume token.

import Foundation
import Vitalwire

let environment = ProcessInfo.processInfo.environment
let client = try VitalwireClient(
    ClientOptions(baseURL: environment["VITALWIRE_BASE_URL"].flatMap(URL.init(string:)), token: environment["VITALWIRE_TOKEN"]))
guard let first = CalendarDate("2025-01-01"), let last = CalendarDate("2025-12-31") else { fatalError("no such day") }

/// Returns the range, or its remaining parts.
@MainActor func year(_ resume: ResumeToken? = nil) -> RangeCall<DailyStatistics> {
    client.statistics.daily(first...last, of: [.steps], partLength: .days(30), range: RangeOptions(resume: resume))
}

var days: [DailyBucket] = []
var saved: String?
for try await part in year() {
    days += try part.response.statistics
    // Store both together, for example in a file of the app.
    saved = part.resumeToken?.text
    print("part \(part.progress.done) of \(part.progress.total), \(days.count) days")
    // The app is closed here.
    if part.progress.done == 7 { break }
}

if let saved {
    let rest = try await year(ResumeToken(saved)).collect { print("part \($0.done) of \($0.total) left") }
    days += rest.response.statistics
}
let table = try DailyStatistics(fromDate: first, toDate: last, statistics: days).dailyStatisticsTable()
let rows = table.points("steps", in: .gmt).map { "\(CalendarDate($0.time, in: .gmt)),\(Int($0.value))" }
try (["date,steps"] + rows).joined(separator: "\n").write(to: URL(fileURLWithPath: "2025.csv"), atomically: true, encoding: .utf8)
print(rows.count, "days in 2025.csv")
