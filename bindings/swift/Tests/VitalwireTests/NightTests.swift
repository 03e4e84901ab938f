import Foundation
import Vitalwire
import XCTest

/// Tests searches for sleeps by their days, with mock responses.
final class NightTests: XCTestCase {
    private let days = CalendarDate("2025-03-01")!...CalendarDate("2025-03-03")!

    /// Creates mock responses: these sleeps, and statistics of three days. They list a nap and a night, no sleep, and a night.
    private func mockSleeps(_ sleeps: MockResponse...) -> MockResponses {
        let responses = MockResponses()
        let days = [("2025-03-01", #""nap", "a""#), ("2025-03-03", #""b""#)].map { day, ids in
            #"{"date": "\#(day)", "record_ids": [\#(ids)], "values": {"sleep_duration_total": 1}}"#
        }
        let json = #"{"from_date": "2025-03-01", "to_date": "2025-03-03", "statistics": [\#(days.joined(separator: ","))]}"#
        responses.add(MockResponse(json: json), to: "daily_statistics")
        sleeps.forEach { responses.add($0, to: "get_sleep") }
        return responses
    }

    private func sleep(_ id: String, delay: Duration = .zero) -> MockResponse {
        let times = #""start_at_timestamp": "2025-03-01T00:00:00Z", "modified_at": "2025-03-01T08:00:00Z""#
        return MockResponse(json: #"{"sleep_id": "\#(id)", "duration": 1, \#(times)}"#, delay: delay)
    }

    private func nights(_ responses: MockResponses, _ options: RangeOptions = .init()) throws -> NightSearch {
        var options = options
        options.concurrency = 1
        let client = try VitalwireClient(ClientOptions(), mockResponses: responses)
        return client.sleeps.between(days, range: options, options: .init(maxRetries: 0))
    }

    private func expectFailure(_ work: () async throws -> Void) async throws -> VitalwireError {
        do {
            try await work()
        } catch {
            return try XCTUnwrap(error as? VitalwireError, "\(type(of: error))")
        }
        throw UnexpectedSuccess()
    }

    private struct UnexpectedSuccess: Error {}

    func testNightsAreReturnedInTheOrderOfTheirDays() async throws {
        var (ids, found): ([String?], [[CalendarDate]]) = ([], [])
        for try await part in try nights(mockSleeps(sleep("nap"), sleep("a"), sleep("b"))) {
            ids.append(try part.night.record.id)
            found.append(part.days)
        }
        XCTAssertEqual(ids, ["nap", "a", "b"])
        XCTAssertEqual(found, [[days.lowerBound], [days.lowerBound], [days.upperBound]])
    }

    func testNightsAreCollectedWithTheirDays() async throws {
        let reports = ValueRecorder<RangeProgress>()
        let whole = try await nights(mockSleeps(sleep("nap"), sleep("a"), sleep("b"))).collect { reports.add($0) }
        XCTAssertEqual(whole.response.map(\.record.id), ["nap", "a", "b"])
        XCTAssertEqual(whole.response.map(\.days), [[days.lowerBound], [days.lowerBound], [days.upperBound]])
        XCTAssertEqual(whole.parts.map(\.items), [0..<2, 2..<2, 2..<3])
        XCTAssertEqual(reports.all.last.map { [$0.done, $0.total, $0.items] }, [3, 3, 3])
        XCTAssertNil(whole.resumeToken)
    }

    func testAFailedSearchKeepsItsNightsAndCanBeResumed() async throws {
        let broken = try nights(mockSleeps(sleep("nap"), sleep("a"), MockResponse(status: 503)))
        let error = try await expectFailure { _ = try await broken.collect() }
        XCTAssertEqual(error.kind, .service)
        let before = try XCTUnwrap(error.soFar(of: broken))
        XCTAssertEqual(before.response.map(\.record.id), ["nap", "a"])
        let token = try XCTUnwrap(error.resumeToken)
        XCTAssertEqual(token.partsLeft, 1)
        let rest = try await nights(mockSleeps(sleep("b")), .init(resume: token)).collect()
        XCTAssertEqual(try before.joined(with: rest).response.map(\.record.id), ["nap", "a", "b"])
    }

    func testFailedDaysAreReturnedIfFailuresAreCollected() async throws {
        let collecting = RangeOptions(collectsFailures: true)
        var kinds: [ErrorKind?] = []
        for try await found in try nights(mockSleeps(MockResponse(status: 503), sleep("b")), collecting) {
            if case .failure(let error) = found.result {
                kinds.append(error.kind)
                XCTAssertEqual(found.days, [days.lowerBound])
            } else {
                kinds.append(nil)
            }
        }
        XCTAssertEqual(kinds, [.service, nil])
    }

    func testACancelledSearchKeepsTheNightsReadSoFar() async throws {
        let slow = try nights(mockSleeps(sleep("nap"), sleep("a"), sleep("b", delay: .seconds(60))))
        let read = ValueRecorder<Int>()
        let task = Task { try await slow.collect { read.add($0.items) } }
        for _ in 0..<2_000 where !read.all.contains(2) { try await Task.sleep(for: .milliseconds(5)) }
        task.cancel()
        let error = try await expectFailure { _ = try await task.value }
        XCTAssertEqual(error.kind, .cancelled)
        XCTAssertEqual(error.soFar(of: slow)?.response.map(\.record.id), ["nap", "a"])
        let rest = try await nights(mockSleeps(sleep("b")), .init(resume: error.resumeToken)).collect()
        XCTAssertEqual(rest.response.map(\.record.id), ["b"])
    }

    func testACancelledLoopKeepsItsResumeToken() async throws {
        let slow = try nights(mockSleeps(sleep("nap"), sleep("a"), sleep("b", delay: .seconds(60))))
        let read = ValueRecorder<Int>()
        let task = Task { for try await found in slow { read.add(found.progress.items) } }
        for _ in 0..<2_000 where read.all.count < 2 { try await Task.sleep(for: .milliseconds(5)) }
        task.cancel()
        let error = try await expectFailure { try await task.value }
        XCTAssertEqual(error.kind, .cancelled)
        XCTAssertNotNil(error.resumeToken)
    }

    func testDescriptionsHaveNoValues() async throws {
        let search = try nights(mockSleeps(sleep("CANARY"), sleep("CANARY-a"), sleep("CANARY-b")), .init(resumeKey: "CANARY"))
        var texts = "\(search)"
        dump(search, to: &texts)
        for try await found in search {
            texts += "\(found) \(String(reflecting: found))"
            for value in [found, try found.night] as [Any] { dump(value, to: &texts) }
        }
        for canary in ["CANARY", "2025-"] { XCTAssertFalse(texts.contains(canary), texts) }
    }
}
