import Foundation
import Vitalwire
import XCTest

/// Each fault of the sandbox once; `tests/faults/README.md` of the repository says what must come of it.
final class FaultTests: XCTestCase {
    func testWhatAReadSurvivesAndWhatItReports() async throws {
        let environment = ProcessInfo.processInfo.environment
        let path = try XCTUnwrap(environment["VITALWIRE_FAULTS"], "VITALWIRE_FAULTS is not set; run this by `cargo xtask test`")
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        XCTAssertFalse(lines.isEmpty)
        for line in lines {
            let cells = line.split(separator: "\t").map(String.init)
            let client = try VitalwireClient(options: ClientOptions(baseUrl: environment["VITALWIRE_BASE_URL"], token: cells[0], noProxy: true))
            var outcome = 0
            var requests: UInt32 = 0
            do {
                requests = try await client.user.info().meta.attempts
            } catch let error as VitalwireError {
                outcome = Int(error.code)
                requests = error.info.attempts
            }
            XCTAssertEqual(outcome, Int(cells[1]), cells[3])
            XCTAssertEqual(Int(requests), Int(cells[2]), cells[3])
        }
    }
}
