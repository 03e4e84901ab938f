// Prints the duration of each stage of a night and the mean of every series.
//
//     VITALWIRE_BASE_URL=.. VITALWIRE_TOKEN=.. LastNight <id of a sleep>

import Foundation
import Vitalwire

let environment = ProcessInfo.processInfo.environment
guard let id = CommandLine.arguments.dropFirst().first ?? environment["VITALWIRE_SLEEP_ID"] else {
    FileHandle.standardError.write(Data("usage: LastNight <id of a sleep>\n".utf8))
    exit(64)
}

guard let url = environment["VITALWIRE_BASE_URL"].flatMap(URL.init(string:)) else {
    FileHandle.standardError.write(Data("set VITALWIRE_BASE_URL to the URL of the service\n".utf8))
    exit(64)
}

do {
    let client = try VitalwireClient(ClientOptions(baseURL: url, token: environment["VITALWIRE_TOKEN"]))
    let night = try await client.sleeps.get(id, include: [.stages, .samples])

    // The output is health data, so it must not be written to a log.
    print(night.sleepDate.map { "night of \($0)" } ?? "a night", "by", night.providerSlug?.rawValue ?? "an unknown provider")
    let stages = Dictionary(grouping: night.stages ?? []) { $0.stage?.rawValue ?? "unknown" }
    for (name, parts) in stages.sorted(by: { $0.key < $1.key }) {
        let total = parts.compactMap(\.duration).reduce(.zero, +)
        print("  \(name): \(total.components.seconds / 60) min in \(parts.count) parts")
    }
    for (metric, series) in (night.samples?.values?.series ?? [:]).sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
        let known = series.filter { !$0.isNaN }
        guard !known.isEmpty else { continue }
        let mean = known.reduce(0, +) / Double(known.count)
        print("  \(metric.rawValue): \(String(format: "%.1f", mean)) \(metric.unit ?? "") on average, \(known.count) values")
    }
} catch let error as VitalwireError {
    // The text of an error contains no health data, token or URL.
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(1)
}
