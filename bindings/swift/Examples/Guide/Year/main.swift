// Writes the steps of each day of a year to a CSV file per part. After an interruption, the next run reads the remaining parts.

import Foundation
import Vitalwire

/// Replaces a file.
func write(_ text: String, to name: String) throws {
    try text.write(to: URL(fileURLWithPath: name), atomically: true, encoding: .utf8)
}

// Only you can read the files.
umask(0o077)
let environment = ProcessInfo.processInfo.environment
guard let url = environment["VITALWIRE_BASE_URL"].flatMap(URL.init(string:)) else { fatalError("set VITALWIRE_BASE_URL") }
let client = try VitalwireClient(ClientOptions(baseURL: url, token: environment["VITALWIRE_TOKEN"]))
guard let first = CalendarDate("2025-01-01"), let last = CalendarDate("2025-12-31") else { fatalError("no such day") }
do {
    guard let userID = try await client.user.info().applicationUserID else { fatalError("the response has no user id") }
    let saved = try? String(contentsOfFile: "2025.resume", encoding: .utf8)
    // The resume token of another user is rejected.
    let range = RangeOptions(resume: try saved.map { try ResumeToken($0) }, resumeKey: userID)
    for try await part in client.statistics.daily(first...last, of: [.steps], partLength: .days(30), range: range) {
        let rows = try part.response.statistics.compactMap { day in
            day.date.map { "\($0),\(day.values?.steps.map { "\($0)" } ?? "")" }
        }
        try write((["date,steps"] + rows + [""]).joined(separator: "\n"), to: "2025-part-\(part.index).csv")
        // The token is written after the rows, because it excludes them.
        if let token = part.resumeToken { try write(token.text, to: "2025.resume") }
        print("part \(part.progress.done) of \(part.progress.total), \(part.progress.items) days")
    }
    try? FileManager.default.removeItem(atPath: "2025.resume")
} catch let error as VitalwireError {
    print("failed with \(error.kind); the next run reads the remaining parts")
    exit(1)
}
