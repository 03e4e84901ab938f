import Foundation

/// Time limits of a comparison.
struct Budget: Sendable {
    var rounds: Int
    /// Time of each alternative per round, in seconds. An alternative that takes longer runs once.
    var slice: Double

    static let full = Budget(rounds: 30, slice: 0.1)
    static let quick = Budget(rounds: 5, slice: 0.04)
}

/// One of the alternatives of a comparison. Runs a number of times and returns the seconds per run.
typealias Alternative = (_ times: UInt32) async throws -> Double

/// Wall time and processor time of each alternative, by round. The fastest run counts, because other programs can only delay a run.
struct Measurements {
    var seconds: [[Double]]
    var processorTimes: [[Double]]

    func minimum(_ alternative: Int) -> Double { seconds[alternative].min() ?? .nan }

    func ratio(_ one: Int, _ other: Int) -> Double { minimum(one) / minimum(other) }

    /// Formats wall time and processor time of an alternative.
    func formatTimes(_ alternative: Int) -> String {
        "\(formatSeconds(minimum(alternative))), worked \(formatSeconds(processorTimes[alternative].min() ?? .nan))"
    }
}

/// Runs all alternatives in each round, in an order that changes between rounds.
func compare(_ budget: Budget, _ alternatives: Alternative...) async throws -> Measurements {
    var times: [UInt32] = []
    for alternative in alternatives {
        _ = try await alternative(1)
        times.append(UInt32(max(1, min(1e6, budget.slice / (try await alternative(1))))))
    }
    var (seconds, processorTimes) = (alternatives.map { _ in [Double]() }, alternatives.map { _ in [Double]() })
    for round in 0..<budget.rounds {
        for turn in alternatives.indices {
            let at = (round + turn) % alternatives.count
            let before = clock()
            seconds[at].append(try await alternatives[at](times[at]))
            processorTimes[at].append(Double(clock() - before) / Double(CLOCKS_PER_SEC) / Double(times[at]))
        }
    }
    return Measurements(seconds: seconds, processorTimes: processorTimes)
}

/// Creates an alternative that runs a closure and measures the time.
func timed(_ work: @escaping () async throws -> Void) -> Alternative {
    { times in
        let clock = ContinuousClock()
        let started = clock.now
        for _ in 0..<times { try await work() }
        return (clock.now - started) / .seconds(1) / Double(times)
    }
}

/// A measurement, in the format of `cargo xtask bench`.
struct Line: Encodable {
    var measure: String
    var ours: String
    var baseline: String
    var figure: Double
    var gate = ""
    var met: Bool?

    /// Returns a copy with the maximum that the gate allows.
    func atMost(_ most: Double) -> Line {
        var line = self
        (line.gate, line.met) = ("<= \(most)", figure <= most)
        return line
    }

    func print() throws {
        try FileHandle.standardOutput.write(contentsOf: JSONEncoder().encode(self) + Data("\n".utf8))
    }
}

func formatSeconds(_ seconds: Double) -> String {
    seconds < 1e-3 ? String(format: "%.0f us", seconds * 1e6) : String(format: "%.2f ms", seconds * 1e3)
}
