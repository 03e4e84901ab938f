import Foundation
import VitalwireSandbox
import XCTest

/// Tests the module `VitalwireSandbox`. The module is empty on systems that cannot start processes.
#if os(macOS) || os(Linux)
    final class SandboxTests: XCTestCase {
        func testAMissingProgramIsAnError() async {
            do {
                _ = try await Sandbox.start(program: URL(fileURLWithPath: "/nonexistent/vitalwire"))
                XCTFail("there is no program")
            } catch { XCTAssertTrue(error is Sandbox.NotStarted) }
        }
    }
#endif

#if compiler(>=6.1) && canImport(Testing) && (os(macOS) || os(Linux))
    import Testing

    struct SandboxTraitTests {
        /// Skipped without a program for the sandbox.
        @Test(.enabled(if: ProcessInfo.processInfo.environment["VITALWIRE_PROGRAM"] != nil), .sandbox)
        func lastNight() async throws {
            let sandbox = try Sandbox.current
            let night = try await sandbox.client().sleeps.get(sandbox.sleepID, include: [.stages])
            #expect(night.stages?.isEmpty == false)
        }
    }
#endif
