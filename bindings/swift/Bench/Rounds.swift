import Foundation

/// Duration of a comparison.
struct Effort: Sendable {
    /// Number of rounds.
    var rounds: Int
    /// Time of each alternative per round; a slower one runs once.
    var slice: Double

    static let full = Effort(rounds: 30, slice: 0.1)
    static let quick = Effort(rounds: 5, slice: 0.04)
}

/// An alternative: runs a number of times and returns the seconds per run.
typealias Way = (_ times: UInt32) async throws -> Double

/// Wall time and processor time of each alternative, by round. The minimum counts, because other programs can only
/// increase it.
struct Found {
    var seconds: [[Double]]
    var worked: [[Double]]

    func least(_ way: Int) -> Double { seconds[way].min() ?? .nan }

    func ratio(_ one: Int, _ other: Int) -> Double { least(one) / least(other) }

    /// Formats wall time and processor time of an alternative.
    func shownWithWork(_ way: Int) -> String { "\(shown(least(way))), worked \(shown(worked[way].min() ?? .nan))" }
}

/// Runs all alternatives in turn; the order changes from round to round.
func compare(_ effort: Effort, _ ways: Way...) async throws -> Found {
    var times: [UInt32] = []
    for way in ways {
        _ = try await way(1)
        times.append(UInt32(max(1, min(1e6, effort.slice / (try await way(1))))))
    }
    var (seconds, worked) = (ways.map { _ in [Double]() }, ways.map { _ in [Double]() })
    for round in 0..<effort.rounds {
        for turn in ways.indices {
            let at = (round + turn) % ways.count
            let before = clock()
            seconds[at].append(try await ways[at](times[at]))
            worked[at].append(Double(clock() - before) / Double(CLOCKS_PER_SEC) / Double(times[at]))
        }
    }
    return Found(seconds: seconds, worked: worked)
}

/// Creates an alternative from work that is timed here.
func timed(_ work: @escaping () async throws -> Void) -> Way {
    { times in
        let clock = ContinuousClock()
        let started = clock.now
        for _ in 0..<times { try await work() }
        return (clock.now - started) / .seconds(1) / Double(times)
    }
}

/// A measure, in the format of `cargo xtask bench`.
struct Line: Encodable {
    var measure: String
    var ours: String
    var baseline: String
    var figure: Double
    var gate = ""
    var met: Bool?

    /// Sets the largest allowed figure.
    func atMost(_ most: Double) -> Line {
        var line = self
        (line.gate, line.met) = ("<= \(most)", figure <= most)
        return line
    }

    func print() throws {
        try FileHandle.standardOutput.write(contentsOf: JSONEncoder().encode(self) + Data("\n".utf8))
    }
}

/// Formats seconds.
func shown(_ seconds: Double) -> String {
    seconds < 1e-3 ? String(format: "%.0f us", seconds * 1e6) : String(format: "%.2f ms", seconds * 1e3)
}
