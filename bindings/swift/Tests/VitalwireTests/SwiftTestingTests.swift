import Testing
import Vitalwire
import VitalwireTesting

/// What Swift Testing makes of `VitalwireTesting`, which does not import it.
struct SwiftTestingTests {
    @Test func theSandboxIsThereWhileATestRuns() async throws {
        try await Sandbox.run { sandbox in
            let night = try await VitalwireClient(sandbox.options).sleeps.get(sandbox.sleepID, include: [.stages])
            #expect(night.stages?.isEmpty == false)
        }
    }
}
