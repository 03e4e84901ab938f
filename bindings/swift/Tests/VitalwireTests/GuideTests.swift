// --8<-- [start:program]
import Vitalwire
import VitalwireSandbox
import VitalwireTesting
import XCTest

/// The function to test. It takes the protocol, so that a test can pass a fake.
private func deepSleep(of id: String, in sleeps: any SleepsProtocol) async throws -> Duration {
    let stages = try await sleeps.get(id, include: [.stages]).stages ?? []
    return stages.filter { $0.stage == .deep }.compactMap(\.duration).reduce(.zero, +)
}

final class GuideTests: XCTestCase {
    /// Sends real requests to a sandbox of its own, with synthetic people.
    func testTheSandboxHasDeepSleep() async throws {
        try await Sandbox.run { sandbox in
            let duration = try await deepSleep(of: sandbox.sleepID, in: sandbox.client().sleeps)
            XCTAssertGreaterThan(duration, .seconds(60))
        }
    }

    /// Decodes mock responses, without a network. The second attempt succeeds.
    func testAFailureIsRetried() async throws {
        let night = SleepRecord(id: "s-1", stages: [SleepStage(stage: .deep, duration: .seconds(600))])
        let responses = MockResponses().on(.sleepsGet, .failing(.service), try MockResponse(night))
        let duration = try await deepSleep(of: "s-1", in: VitalwireClient.mock(responses).sleeps)
        XCTAssertEqual(duration, .seconds(600))
        XCTAssertEqual(responses.requests.count, 2)
    }

    /// Replaces the resource itself. Calls that the fake does not have fail.
    func testAFakeReturnsANight() async throws {
        struct FakeSleeps: SleepsProtocol {
            func get(_ call: GetCall) async throws -> SleepRecord { SleepRecord(id: call.id, stages: []) }
        }
        let duration = try await deepSleep(of: "any", in: FakeSleeps())
        XCTAssertEqual(duration, .zero)
    }
}
// --8<-- [end:program]
