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
        let before = try XCTUnwrap(error.partialResult(of: broken))
        XCTAssertEqual(before.response.map(\.record.id), ["nap", "a"])
        let token = try XCTUnwrap(error.resumeToken)
        XCTAssertEqual(token.partsLeft, 1)
        let rest = try await nights(mockSleeps(sleep("b")), .init(resume: token)).collect()
        XCTAssertEqual(try before.merging(rest).response.map(\.record.id), ["nap", "a", "b"])
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

    /// Creates responses for the table: a nap of 20 minutes, a night of eight hours, and a night of seven and a half hours.
    private func tableSleeps() -> [MockResponse] {
        [
            ("nap", "2025-03-01", "2025-03-01T12:00:00Z", 1_200_000, #"{"sleep_duration_nap": 1200000}"#),
            ("a", "2025-03-01", "2025-02-28T22:00:00Z", 28_800_000, #"{"sleep_efficiency": 92.5}"#),
            ("b", "2025-03-03", "2025-03-02T22:30:00Z", 27_000_000, "{}"),
        ].map { id, day, start, duration, metrics in
            let times = #""sleep_date": "\#(day)", "start_at_timestamp": "\#(start)", "modified_at": "2025-03-04T08:00:00Z""#
            return MockResponse(json: #"{"sleep_id": "\#(id)", \#(times), "duration": \#(duration), "metrics": \#(metrics)}"#)
        }
    }

    /// Returns the numbers of a column, with `nil` for missing values.
    private func numbers(_ table: ColumnTable, _ name: String) throws -> [Double?] {
        try XCTUnwrap(table[name], name).numbers.map { $0.isNaN ? nil : $0 }
    }

    func testNightsAreCollectedAsATable() async throws {
        let told = ValueRecorder<RangeProgress>()
        let sleeps = tableSleeps()
        let whole = try await nights(mockSleeps(sleeps[0], sleeps[1], sleeps[2])).collectSleepsTable { told.add($0) }
        let table = whole.response
        XCTAssertEqual(table.rows, 3)
        XCTAssertEqual(table["sleep_id"]?.texts, ["nap", "a", "b"])
        // Days since 1970: 1 March 2025 is day 20,148.
        XCTAssertEqual(try numbers(table, "sleep_date"), [20_148, 20_148, 20_150])
        XCTAssertEqual(try numbers(table, "is_nap"), [1, 0, 0])
        XCTAssertEqual(try numbers(table, "duration"), [1_200_000, 28_800_000, 27_000_000])
        XCTAssertEqual(try numbers(table, "sleep_efficiency"), [nil, 92.5, nil])
        XCTAssertEqual(table["sleep_efficiency"]?.unit, "percent")
        XCTAssertEqual(whole.parts.map(\.items), [0..<2, 2..<2, 2..<3])
        XCTAssertEqual(told.all.last.map { [$0.done, $0.total, $0.items] }, [3, 3, 3])
        XCTAssertNil(whole.resumeToken)
    }

    func testDaysWithoutASleepAreRowsOnRequest() async throws {
        let told = ValueRecorder<RangeProgress>()
        let sleeps = tableSleeps()
        let search = try nights(mockSleeps(sleeps[0], sleeps[1], sleeps[2]))
        let whole = try await search.collectSleepsTable(missingRows: true) { told.add($0) }
        let table = whole.response
        XCTAssertEqual(table["sleep_id"]?.texts, ["nap", "a", nil, "b"])
        XCTAssertEqual(try numbers(table, "sleep_date"), [20_148, 20_148, 20_149, 20_150])
        XCTAssertEqual(try numbers(table, "is_nap"), [1, 0, nil, 0])
        for column in table.columns where column.name != "sleep_date" {
            XCTAssertTrue(column.kind == .text ? column.texts[2] == nil : column.series[2].isNaN, column.name)
        }
        XCTAssertEqual(whole.parts.map(\.items), [0..<2, 2..<3, 3..<4])
        XCTAssertEqual(told.all.last.map { [$0.done, $0.total, $0.items] }, [3, 3, 4])
    }

    func testAFailedTableKeepsItsRowsAndCanBeResumed() async throws {
        let sleeps = tableSleeps()
        let broken = try nights(mockSleeps(sleeps[0], sleeps[1], MockResponse(status: 503)))
        let error = try await expectFailure { _ = try await broken.collectSleepsTable(missingRows: true) }
        XCTAssertEqual(error.kind, .service)
        XCTAssertNil(error.partialResult(of: broken))
        let before = try XCTUnwrap(error.partialSleepsTable(of: broken))
        XCTAssertEqual(before.response["sleep_id"]?.texts, ["nap", "a", nil])
        let token = try XCTUnwrap(error.resumeToken)
        XCTAssertEqual(token.partsLeft, 1)
        let rest = try await nights(mockSleeps(sleeps[2]), .init(resume: token)).collectSleepsTable(missingRows: true)
        XCTAssertEqual(try before.merging(rest).response["sleep_id"]?.texts, ["nap", "a", nil, "b"])
    }

    func testFailedDaysHaveNoRow() async throws {
        let sleeps = tableSleeps()
        let collecting = RangeOptions(collectsFailures: true)
        let search = try nights(mockSleeps(MockResponse(status: 503), sleeps[2]), collecting)
        let whole = try await search.collectSleepsTable(missingRows: true)
        XCTAssertEqual(whole.response["sleep_id"]?.texts, [nil, "b"])
        XCTAssertEqual(try numbers(whole.response, "sleep_date"), [20_149, 20_150])
        XCTAssertEqual(whole.failures.map(\.index), [0])
        XCTAssertEqual(whole.failures.map(\.error.kind), [.service])
        XCTAssertEqual(whole.resumeToken?.partsLeft, 1)
    }

    func testACancelledSearchKeepsTheNightsReadSoFar() async throws {
        let slow = try nights(mockSleeps(sleep("nap"), sleep("a"), sleep("b", delay: .seconds(60))))
        let read = ValueRecorder<Int>()
        let task = Task { try await slow.collect { read.add($0.items) } }
        for _ in 0..<2_000 where !read.all.contains(2) { try await Task.sleep(for: .milliseconds(5)) }
        task.cancel()
        let error = try await expectFailure { _ = try await task.value }
        XCTAssertEqual(error.kind, .cancelled)
        XCTAssertEqual(error.partialResult(of: slow)?.response.map(\.record.id), ["nap", "a"])
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
