// Prints the stages of each sleep of a week.

import Foundation
import Vitalwire

let environment = ProcessInfo.processInfo.environment
guard let url = environment["VITALWIRE_BASE_URL"].flatMap(URL.init(string:)) else { fatalError("set VITALWIRE_BASE_URL") }
let client = try VitalwireClient(ClientOptions(baseURL: url, token: environment["VITALWIRE_TOKEN"]))

guard let first = CalendarDate("2025-11-14"), let last = CalendarDate("2025-11-20") else { fatalError("no such day") }
for try await found in client.sleeps.between(first...last, include: [.stages]) {
    let night = try found.night
    let day = night.days.first?.description ?? "unknown day"
    let stages = Dictionary(grouping: night.record.stages ?? []) { $0.stage?.rawValue ?? "unknown" }
    let minutes = stages.sorted { $0.key < $1.key }.map { name, parts in
        let durations = parts.compactMap(\.duration)
        // A missing duration is not 0.
        guard durations.count == parts.count else { return "\(name) unknown" }
        return "\(name) \(durations.reduce(.zero, +).components.seconds / 60) min"
    }
    print("\(day):", minutes.joined(separator: ", "))
}
