import Foundation
import Vitalwire
import VitalwireTesting
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@testable import AppleApp

/// Tests the sync of the sample application `Nights`, with mock responses. The clock of the service shows noon of 2025-11-20.
final class CopySyncTests: XCTestCase {
    private let file = FileManager.default.temporaryDirectory.appendingPathComponent("vitalwire-\(UUID().uuidString).json")
    private let secret = Data("0123456789abcdef".utf8)

    override func tearDown() { try? FileManager.default.removeItem(at: file) }

    private func response(_ body: String, delay: Duration = .zero) -> MockResponse {
        // The clock of a sandbox alone counts.
        let headers = ["date": "Thu, 20 Nov 2025 12:00:00 GMT", "vitalwire-sandbox": "seed=1"]
        return MockResponse(json: body, headers: headers, delay: delay)
    }

    private func steps(_ value: Int, delay: Duration = .zero) -> MockResponse {
        let day = #"{"date": "2025-11-18", "values": {"steps": \#(value)}}"#
        return response(#"{"from_date": "2025-11-13", "to_date": "2025-11-21", "statistics": [\#(day)]}"#, delay: delay)
    }

    private func service(_ days: MockResponse, account: String = "user-7") -> MockResponses {
        let responses = MockResponses()
        responses.add(response(#"{"application_user_id": "\#(account)", "integrated_providers": []}"#), to: "get_user_info")
        responses.add(days, to: "daily_statistics")
        return responses
    }

    private func sync(_ responses: MockResponses, secret: Data? = nil) -> CopySync {
        let secret = secret ?? self.secret
        return CopySync(file: file, client: .mock(responses), user: "me", firstDay: CalendarDate("2025-11-13")) { secret }
    }

    private func rows() throws -> [String] { try RecordCopy.read(file).records.values.flatMap(\.jsonRows) }

    private func row(_ steps: Int) -> [String] { [#"{"date":"2025-11-18","steps":\#(steps).0}"#] }

    func testASecondRunAppliesWhatHasChanged() async throws {
        let first = await sync(service(steps(7))).update()
        XCTAssertEqual(first, .success)
        XCTAssertEqual(try rows(), row(7))
        let responses = service(steps(9))
        let later = sync(responses)
        let second = await later.update()
        XCTAssertEqual(second, .success)
        let shown = try await later.records()
        XCTAssertEqual(shown.map(\.id), ["2025-11-18"])
        XCTAssertEqual(shown.flatMap(\.jsonRows), row(9))
        XCTAssertEqual(responses.requests.map(\.operation), ["get_user_info", "daily_statistics"])
    }

    func testAFailureKeepsTheCopy() async throws {
        _ = await sync(service(steps(7))).update()
        let kept = try Data(contentsOf: file)
        let failures: [(MockResponses, CopySync.Outcome)] = [
            (service(MockResponse(status: 503)), .retry),
            (service(MockResponse(status: 403)), .failure),
            (service(steps(8), account: "user-8"), .failure),
        ]
        for (responses, expected) in failures {
            let outcome = await sync(responses).update()
            XCTAssertEqual(outcome, expected)
            XCTAssertEqual(try Data(contentsOf: file), kept)
        }
    }

    func testACopyThatCannotBeUsedIsReadAgain() async throws {
        _ = await sync(service(steps(7))).update()
        let other = Data("another secret of ours".utf8)
        let rejected = await sync(service(steps(8)), secret: other).update()
        XCTAssertEqual(rejected, .retry)
        XCTAssertFalse(FileManager.default.fileExists(atPath: file.path))
        let filled = await sync(service(steps(8)), secret: other).update()
        XCTAssertEqual(filled, .success)
        XCTAssertEqual(try rows(), row(8))
        try Data("{".utf8).write(to: file)
        let damaged = await sync(service(steps(8))).update()
        XCTAssertEqual(damaged, .retry)
        XCTAssertEqual(try rows(), [])
    }

    func testASecretThatCannotBeReadYetRemovesNothing() async throws {
        _ = await sync(service(steps(7))).update()
        let client = VitalwireClient.mock(service(steps(8)))
        let sync = CopySync(file: file, client: client, user: "me") { throw CocoaError(.fileReadNoPermission) }
        let locked = await sync.update()
        XCTAssertEqual(locked, .retry)
        XCTAssertEqual(try rows(), row(7))
    }

    func testAnOutageOfTheTokenServerIsRetriedLater() async throws {
        let failures: [(any Error, CopySync.Outcome)] = [
            (URLError(.notConnectedToInternet), .retry), (URLError(.badServerResponse), .retry),
            (URLError(.userAuthenticationRequired), .failure), (CocoaError(.userCancelled), .failure),
        ]
        let options = ClientOptions(baseURL: try XCTUnwrap(URL(string: "https://health.example.org")))
        let secret = self.secret
        for (failure, expected) in failures {
            let client = try VitalwireClient(options, tokenProvider: { _ in throw failure })
            let outcome = await CopySync(file: file, client: client, user: "me") { secret }.update()
            XCTAssertEqual(outcome, expected, "\(failure)")
        }
    }

    func testACancelledRunEndsAndTheNextOneCanStart() async throws {
        let slow = service(steps(7, delay: .seconds(60)))
        let sync = self.sync(slow)
        let task = Task { await sync.update() }
        while !slow.requests.contains(where: { $0.operation == "daily_statistics" }) { try await Task.sleep(for: .milliseconds(5)) }
        let meanwhile = await sync.update()
        XCTAssertEqual(meanwhile, .retry)
        XCTAssertEqual(slow.requests.count, 2)
        task.cancel()
        let cancelled = await task.value
        XCTAssertEqual(cancelled, .retry)
        let next = await self.sync(service(steps(7))).update()
        XCTAssertEqual(next, .success)
    }

    func testTheChangesOfADayAreAppliedInTheirOrder() throws {
        let (day, other) = (try XCTUnwrap(CalendarDate("2025-10-05")), try XCTUnwrap(CalendarDate("2025-10-06")))
        var copy = RecordCopy()
        let first = [
            Change(.sleeps, .added, id: "s-1", day: day, jsonRows: ["1"]),
            Change(.sleeps, .added, id: "s-2", day: other, jsonRows: ["2"]),
            Change(.labs, .added, id: "s-1", day: day, jsonRows: ["3"]),
        ]
        copy.apply(SyncPart(days: day...other, changes: first, state: Data([1])))
        let again = [
            Change(.sleeps, .dayRemoved, id: nil, day: day), Change(.sleeps, .added, id: "s-3", day: day, jsonRows: ["4"]),
            Change(.sleeps, .removed, id: "s-2", day: other),
        ]
        copy.apply(SyncPart(days: day...other, changes: again, state: Data([2])))
        XCTAssertEqual(copy.records.keys.sorted(), ["labs s-1", "sleeps s-3"])
        XCTAssertEqual(copy.state, Data([2]))
        try copy.write(file)
        XCTAssertEqual(try RecordCopy.read(file).records, copy.records)
    }

    func testTheSampleUsesMockResponsesWithoutASandbox() async throws {
        let user = try await sampleClient([:]).user.info()
        XCTAssertNotNil(user.applicationUserID)
        XCTAssertNoThrow(try sampleClient(["VITALWIRE_BASE_URL": "http://192.168.1.20:8080", "VITALWIRE_TOKEN": "t"]))
    }
}
