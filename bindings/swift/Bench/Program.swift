import Foundation
import Vitalwire

/// One of the alternatives of a comparison. Runs a number of times and returns the seconds per run.
typealias Alternative = (_ times: UInt32) async throws -> Double

/// Creates an alternative that runs a closure and measures the time.
func timed(_ work: @escaping () async throws -> Void) -> Alternative {
    { times in
        let clock = ContinuousClock()
        let started = clock.now
        for _ in 0..<times { try await work() }
        return (clock.now - started) / .seconds(1) / Double(times)
    }
}

#if VITALWIRE_PROBE
    // Not in `main.swift`, whose code runs on the main actor: every awaited call would cost two more thread changes.

    /// Declares rows and runs alternatives, as the module `program` of the crate `vitalwire-bench` describes. The argument `calls`
    /// chooses small calls instead of records.
    func runProgram() async throws {
        let environment = ProcessInfo.processInfo.environment
        let (url, token) = (environment["BENCH_URL"] ?? "http://127.0.0.1:9", "bench-token")
        let json = try String(contentsOfFile: "\(environment["BENCH_PAYLOADS"] ?? "")/sleep.json", encoding: .utf8)
        let mockResponses = MockResponses()
        mockResponses.add(MockResponse(json: json), to: "get_sleep")
        let mockClient = try VitalwireClient(ClientOptions(), mockResponses: mockResponses)
        let client = try VitalwireClient(ClientOptions(baseURL: URL(string: url)!, token: token))
        let alternatives: [String: Alternative] = [
            "record": timed { _ = try await mockClient.sleeps.get("1", include: [.stages, .samples]) },
            "core": Baseline.decode(json),
            "native": try Baseline.toNative(json),
            "package": timed { _ = try await client.user.info() },
            "rust": try Baseline.call(url, token),
        ]
        let sleep = "a sleep, 60 stages, 80,000 values"
        if CommandLine.arguments.contains("calls") {
            try row("a warm small call, by the Rust client's", "package", "rust", figure: "time", gate: "<= 1.5")
        } else {
            try row("\(sleep), into Swift, by the core's reading", "record", "core", figure: "time", gate: "<= 2")
            try row("\(sleep), share of the package's own records", "record", "native", figure: "share", gate: "<= 0.15")
        }
        try write("\n")
        while let line = readLine() {
            let words = line.split(separator: " ").map(String.init)
            guard let times = UInt32(words[0]), let run = alternatives[words[1]] else { continue }
            let before = clock()
            let seconds = try await run(times)
            try write("\(seconds) \(Double(clock() - before) / Double(CLOCKS_PER_SEC) / Double(times))\n")
        }
    }

    /// Declares a row of the table.
    func row(_ measure: String, _ ours: String, _ baseline: String, figure: String, gate: String) throws {
        let row = ["measure": measure, "ours": ours, "baseline": baseline, "figure": figure, "gate": gate]
        try write(String(decoding: JSONEncoder().encode(row), as: UTF8.self) + "\n")
    }

    /// Writes to standard output without a buffer.
    func write(_ text: String) throws {
        try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    }
#endif
