import Foundation

/// How much time a comparison may take.
struct Effort: Sendable {
    /// Rounds of each comparison.
    var rounds: Int
    /// Time of each way in a round; a way that takes longer runs once.
    var slice: Double

    static let full = Effort(rounds: 30, slice: 0.1)
    static let quick = Effort(rounds: 5, slice: 0.04)
}

/// A way to do a thing so many times, one after the other: the seconds of one.
typealias Way = (_ times: UInt32) async throws -> Double

/// Seconds of each way, by round, and those that this process worked in them, on all its threads. The least counts: other programs only
/// ever add to it.
struct Found {
    var seconds: [[Double]]
    var worked: [[Double]]

    func least(_ way: Int) -> Double { seconds[way].min() ?? .nan }

    func ratio(_ one: Int, _ other: Int) -> Double { least(one) / least(other) }

    /// A way's time by the clock, and by the processor.
    func shownWithWork(_ way: Int) -> String { "\(shown(least(way))), worked \(shown(worked[way].min() ?? .nan))" }
}

/// Runs all ways in turn; which goes first changes from round to round.
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

/// Makes a way of work that is timed here.
func timed(_ work: @escaping () async throws -> Void) -> Way {
    { times in
        let clock = ContinuousClock()
        let started = clock.now
        for _ in 0..<times { try await work() }
        return (clock.now - started) / .seconds(1) / Double(times)
    }
}

/// A measure, as `cargo xtask bench` reads it.
struct Line: Encodable {
    var measure: String
    var ours: String
    var baseline: String
    var figure: Double
    var gate = ""
    var met: Bool?

    /// The figure must be this or less.
    func atMost(_ most: Double) -> Line {
        var line = self
        (line.gate, line.met) = ("<= \(most)", figure <= most)
        return line
    }

    func print() throws {
        try FileHandle.standardOutput.write(contentsOf: JSONEncoder().encode(self) + Data("\n".utf8))
    }
}

/// Seconds as people read them.
func shown(_ seconds: Double) -> String {
    seconds < 1e-3 ? String(format: "%.0f us", seconds * 1e6) : String(format: "%.2f ms", seconds * 1e3)
}
