import Foundation
import Vitalwire
import XCTest

/// Tests that a failed call has the error of its own run of the token closure.
final class TokenClosureTests: XCTestCase {
    private struct RunError: Error {
        let run: Int
    }

    private func environment(_ name: String) throws -> String {
        try XCTUnwrap(ProcessInfo.processInfo.environment[name], "\(name) is not set; run this by `cargo xtask test`")
    }

    /// Creates a client whose closure throws in these runs. Otherwise it returns a good token that has expired already.
    private func client(throwsIn: @escaping @Sendable (Int) -> Bool, _ runs: ValueRecorder<Void>) throws -> VitalwireClient {
        let (url, token) = (try XCTUnwrap(URL(string: environment("VITALWIRE_BASE_URL"))), try environment("VITALWIRE_TOKEN"))
        return try VitalwireClient(
            ClientOptions(baseURL: url, network: .init(proxy: .disabled)),
            tokenProvider: { _ in
                runs.add(())
                let run = runs.all.count
                if throwsIn(run) { throw RunError(run: run) }
                return AccessToken(token, lifetime: .zero)
            })
    }

    func testAClosureThatThrowsOnRefreshIsTheUnderlyingError() async throws {
        struct SignedOut: Error {}
        let client = try VitalwireClient(
            ClientOptions(baseURL: try XCTUnwrap(URL(string: environment("VITALWIRE_BASE_URL"))), network: .init(proxy: .disabled)),
            tokenProvider: { reason in
                if reason.isRejected { throw SignedOut() }
                return "refused"
            })
        do {
            _ = try await client.user.info()
            XCTFail("the token is refused")
        } catch let error as VitalwireError {
            XCTAssertEqual(error.kind, .authentication)
            XCTAssertEqual(error.status, 401)
            XCTAssertTrue(error.underlying is SignedOut, "\(error)")
        }
    }

    func testEachFailureHasTheErrorOfItsOwnRun() async throws {
        let runs = ValueRecorder<Void>()
        let client = try client(throwsIn: { $0 == 2 || $0 == 3 }, runs)
        let days = try XCTUnwrap(CalendarDate("2025-06-01"))...XCTUnwrap(CalendarDate("2025-06-04"))
        // The errors are converted after the last run, which succeeds.
        let merged = try await client.statistics.daily(
            days, of: [.steps], partLength: .days(1), range: RangeOptions(concurrency: 1, collectsFailures: true)
        ).collect()
        XCTAssertEqual(runs.all.count, 4)
        XCTAssertEqual(merged.failures.map(\.index), [1, 2])
        XCTAssertEqual(merged.failures.map { ($0.error.underlying as? RunError)?.run }, [2, 3])
    }

    func testConcurrentCallsHaveTheErrorsOfTheirRuns() async throws {
        let runs = ValueRecorder<Void>()
        let client = try client(throwsIn: { !$0.isMultiple(of: 2) }, runs)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    let before = runs.all.count
                    do {
                        _ = try await client.user.info()
                        return false
                    } catch let error as VitalwireError {
                        let run = try XCTUnwrap((error.underlying as? RunError)?.run, "\(error)")
                        XCTAssertTrue((before...runs.all.count).contains(run))
                        return true
                    }
                }
            }
            let failed = try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            // The first run throws. How many calls wait for it depends on the machine.
            XCTAssertGreaterThan(failed, 0)
        }
    }
}
