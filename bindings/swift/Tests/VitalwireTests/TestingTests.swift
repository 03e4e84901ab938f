import Foundation
import Vitalwire
import XCTest

@testable import VitalwireTesting

/// Tests the module `VitalwireTesting`.
final class TestingTests: XCTestCase {
    func testEveryRecordHasASampleThatIsNotEmpty() throws {
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let folder = package.appendingPathComponent("Sources/Vitalwire/Generated/Records")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        let names = files.map { $0.deletingPathExtension().lastPathComponent }.sorted()
        XCTAssertEqual(Sample.records.map { "\(type(of: $0))" }.sorted(), names)
        for record in Sample.records {
            let members = try JSONValue(record).decode([String: JSONValue].self)
            XCTAssertFalse(members.isEmpty, "\(type(of: record))")
        }
        let night = SleepRecord.sample
        XCTAssertFalse(try XCTUnwrap(night.stages).isEmpty)
        XCTAssertNotNil(night.metrics?.sleepDuration)
        XCTAssertNotNil(night.samples)
        XCTAssertTrue(night.extra.isEmpty)
    }

    func testASampleIsTheMockResponseOfItsCall() async throws {
        let client = VitalwireClient.mock(.samples)
        let night = try await client.sleeps.get("any")
        XCTAssertEqual(night, .sample)
        let benefits = try await client.care.benefits(clinicID: "c", patientID: "p", policyID: "o")
        XCTAssertEqual(benefits, .sample)
    }

    func testEachFailureHasItsErrorKind() async {
        for failure in Failure.all {
            let client = VitalwireClient.mock(.failing(failure))
            do {
                _ = try await client.sleeps.get("any")
                XCTFail("\(failure.kind) is no failure")
            } catch {
                XCTAssertEqual((error as? VitalwireError)?.kind, failure.kind)
            }
        }
    }

    func testARateLimitHasADelay() async {
        let client = VitalwireClient.mock(.failing(.rateLimited(retryAfter: .seconds(20))), options: .init(retry: .init(maxRetries: 0)))
        do {
            _ = try await client.user.info()
            XCTFail("there is no answer")
        } catch {
            XCTAssertEqual((error as? VitalwireError)?.retryAfter, .seconds(20))
        }
    }

    func testDelayedResponsesArrive() async throws {
        let started = ContinuousClock.now
        let night = try await VitalwireClient.mock(.delayed(.milliseconds(300))).sleeps.get("any")
        XCTAssertEqual(night, .sample)
        XCTAssertGreaterThanOrEqual(ContinuousClock.now - started, .milliseconds(300))
    }

    func testOneCallCanHaveAnotherResponse() async throws {
        let responses = MockResponses.samples.on(.sleepsGet, .failing(.service), try MockResponse(SleepRecord(id: "s-2")))
        let client = VitalwireClient.mock(responses)
        let night = try await client.sleeps.get("any")
        XCTAssertEqual(night.id, "s-2")
        XCTAssertEqual(responses.requests.count, 2)
    }

    func testRecordedExchangesAreReplayed() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("vitalwire-none-\(UUID())")
        XCTAssertThrowsError(try MockResponses.recorded(in: folder)) { XCTAssertEqual(($0 as? VitalwireError)?.kind, .configuration) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (number, id) in ["s-1", "s-2"].enumerated() {
            let night = try JSONValue(SleepRecord(id: id)).json
            let request = "{\"method\": \"GET\", \"path\": \"/v3/queries/sleeps/\(id)\"}"
            let response = "{\"status\": 200, \"headers\": [[\"content-type\", \"application/json\"]], \"body\": {\"json\": \(night)}}"
            let exchange = "{\"vitalwire_exchange\": 1, \"request\": \(request), \"response\": \(response)}"
            try Data(exchange.utf8).write(to: folder.appendingPathComponent("\(number).json"))
        }
        let responses = try MockResponses.recorded(in: folder)
        let client = VitalwireClient.mock(responses)
        // Requests are matched by path, not by the order of the files.
        for id in ["s-2", "s-1"] {
            let night = try await client.sleeps.get(id)
            XCTAssertEqual(night.id, id)
        }
        XCTAssertEqual(responses.requests.map(\.path), ["/v3/queries/sleeps/s-2", "/v3/queries/sleeps/s-1"])
        do {
            _ = try await client.sleeps.get("s-3")
            XCTFail("this was not recorded")
        } catch { XCTAssertEqual((error as? VitalwireError)?.kind, .configuration) }
    }
}
