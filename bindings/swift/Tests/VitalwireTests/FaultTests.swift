import Foundation
import Vitalwire
import XCTest

/// Tests each fault of the sandbox once. The expected results are in `tests/faults/README.md`.
final class FaultTests: XCTestCase {
    func testFaultsAreRetriedOrReportedAsExpected() async throws {
        let environment = ProcessInfo.processInfo.environment
        let path = try XCTUnwrap(environment["VITALWIRE_FAULTS"], "VITALWIRE_FAULTS is not set; run this by `cargo xtask test`")
        let url = try XCTUnwrap(environment["VITALWIRE_BASE_URL"].flatMap(URL.init(string:)))
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        XCTAssertFalse(lines.isEmpty)
        // A PNG picture of one pixel.
        let picture = try XCTUnwrap(
            Data(
                base64Encoded:
                    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="))
        for line in lines {
            let cells = line.split(separator: "\t").map(String.init)
            let client = try VitalwireClient(ClientOptions(baseURL: url, token: cells[0], network: .init(proxy: .disabled)))
            let reads = cells[1] == "read"
            var seen: [String]
            do {
                let attempts =
                    reads
                    ? try await client.withResponse { try await $0.user.info() }.attempts
                    : try await client.withResponse { try await $0.nutritionRecords.upload(body: picture) }.attempts
                seen = ["0", "\(attempts)", "-"]
            } catch let error as VitalwireError {
                seen = ["\(error.code)", "\(error.attempts)", reads ? "-" : "\(error.mayHaveTakenEffect)"]
            }
            XCTAssertEqual(seen, Array(cells[2..<5]), "\(cells[1]): \(cells[5])")
        }
    }
}
