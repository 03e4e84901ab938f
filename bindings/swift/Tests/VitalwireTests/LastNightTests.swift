#if os(macOS) || os(Linux)
    import Foundation
    import XCTest

    /// Tests the example program `LastNight`.
    final class LastNightTests: XCTestCase {
        private func printed(_ changes: [String: String] = [:]) throws -> (status: Int32, output: String, errors: String) {
            var environment = ProcessInfo.processInfo.environment
            let program = try XCTUnwrap(environment["VITALWIRE_LAST_NIGHT"],
                "VITALWIRE_LAST_NIGHT is not set; run this by `cargo xtask test`")
            environment.merge(changes) { $1 }
            let (process, output, errors) = (Process(), Pipe(), Pipe())
            (process.executableURL, process.environment) = (URL(fileURLWithPath: program), environment)
            (process.standardOutput, process.standardError) = (output, errors)
            try process.run()
            let texts = try [output, errors].map { String(decoding: try $0.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self) }
            process.waitUntilExit()
            return (process.terminationStatus, texts[0], texts[1])
        }

        func testTheExamplePrintsANight() throws {
            let night = try printed()
            XCTAssertEqual(night.status, 0, night.errors)
            XCTAssertTrue(night.output.hasPrefix("night of "), night.output)
            for part in ["  deep: ", " min in ", "  heartrate: ", " on average, "] { XCTAssertTrue(night.output.contains(part), part) }
        }

        func testTheExampleReportsAFailureWithoutTheToken() throws {
            let failed = try printed(["VITALWIRE_TOKEN": "CANARY-77aa"])
            XCTAssertEqual(failed.status, 1)
            XCTAssertTrue(failed.errors.contains("authentication"), failed.errors)
            XCTAssertFalse(failed.errors.contains("CANARY"))
        }
    }
#endif
