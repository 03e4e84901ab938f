import Foundation
import Vitalwire
import XCTest

/// Tests range calls, with mock responses.
final class RangeTests: XCTestCase {
    private let (first, last) = (CalendarDate("2025-03-01")!, CalendarDate("2025-03-06")!)

    private func day(_ number: Int, steps: Int) -> String { #"{"date": "2025-03-0\#(number)", "values": {"steps": \#(steps)}}"# }

    /// Creates a mock response with two days.
    private func days(_ number: Int, delay: Duration = .zero) -> MockResponse {
        let (from, to) = ("2025-03-0\(number)", "2025-03-0\(number + 1)")
        let list = "\(day(number, steps: number)), \(day(number + 1, steps: number + 1))"
        return MockResponse(json: #"{"from_date": "\#(from)", "to_date": "\#(to)", "statistics": [\#(list)]}"#, delay: delay)
    }

    private func mockStatistics(_ given: MockResponse...) -> MockResponses {
        let responses = MockResponses()
        given.forEach { responses.add($0, to: "daily_statistics") }
        return responses
    }

    private func range(_ responses: MockResponses, _ options: RangeOptions = .init()) throws -> RangeCall<DailyStatistics> {
        var options = options
        options.concurrency = 1
        let client = try VitalwireClient(ClientOptions(), mockResponses: responses)
        return client.statistics.daily(first...last, of: [.steps], partLength: .days(2), range: options, options: .init(maxRetries: 0))
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

    func testPartsAreReturnedInOrderWithTheirDaysAndAResumeToken() async throws {
        var (steps, fractions, left): ([Double?], [Double], [Int]) = ([], [], [])
        for try await part in try range(mockStatistics(days(1), days(3), days(5))) {
            XCTAssertEqual(part.days?.lowerBound, CalendarDate("2025-03-0\(1 + 2 * part.index)"))
            XCTAssertNil(part.time)
            steps += try part.response.statistics.map { $0.values?.steps }
            fractions.append(part.progress.fraction)
            left.append(part.resumeToken?.partsLeft ?? 0)
        }
        XCTAssertEqual(steps, [1, 2, 3, 4, 5, 6])
        XCTAssertEqual(fractions, [1.0 / 3, 2.0 / 3, 1])
        XCTAssertEqual(left, [2, 1, 0])
    }

    func testPartsAreMergedAndTheirProgressIsReported() async throws {
        let reports = ValueRecorder<RangeProgress>()
        let merged = try await range(mockStatistics(days(1), days(3), days(5))).collect { reports.add($0) }
        XCTAssertEqual(merged.response.statistics.count, 6)
        XCTAssertEqual(merged.parts.map(\.items), [0..<2, 2..<4, 4..<6])
        XCTAssertEqual(reports.all.map(\.done), [1, 2, 3])
        XCTAssertEqual(reports.all.map(\.items), [2, 4, 6])
        XCTAssertTrue(reports.all.allSatisfy { $0.total == 3 })
        XCTAssertNil(merged.resumeToken)
    }

    func testAFailedRangeKeepsItsPartsAndAResumeToken() async throws {
        let key = RangeOptions(resumeKey: "person-1")
        let broken = try range(mockStatistics(days(1), MockResponse(status: 503)), key)
        let error = try await expectFailure { _ = try await broken.collect() }
        XCTAssertEqual(error.kind, .service)
        let before = try XCTUnwrap(error.partialResult(of: broken))
        XCTAssertEqual(before.response.statistics.count, 2)
        let token = try XCTUnwrap(error.resumeToken)
        XCTAssertEqual([token.partsLeft], [2])
        XCTAssertEqual(token.operation, "daily_statistics")
        XCTAssertEqual(token.days, first...last)

        let stored = try JSONDecoder().decode(ResumeToken.self, from: JSONEncoder().encode(token))
        XCTAssertEqual(stored, token)
        let rest = try await range(mockStatistics(days(3), days(5)), .init(resume: stored, resumeKey: "person-1")).collect()
        let whole = try before.merging(rest)
        XCTAssertEqual(whole.response.statistics.map { $0.values?.steps }, [1, 2, 3, 4, 5, 6])
        XCTAssertNil(whole.resumeToken)

        let foreign = try await expectFailure {
            _ = try await range(mockStatistics(days(3)), .init(resume: stored, resumeKey: "person-2")).collect()
        }
        XCTAssertEqual(foreign.kind, .invalidArgument)
        XCTAssertThrowsError(try ResumeToken("no token")) { XCTAssertEqual(($0 as? VitalwireError)?.kind, .invalidArgument) }
        XCTAssertThrowsError(try JSONDecoder().decode(ResumeToken.self, from: Data(#""no token""#.utf8))) {
            XCTAssertTrue($0 is DecodingError)
        }
    }

    func testAStoredTextThatIsNoResumeTokenIsAnInvalidArgument() {
        let end = "00112233445566778899aabbccddeeff"
        let texts = [
            "", String(repeating: "[", count: 100_000), String(repeating: "x", count: 10 << 20), "\0", "\u{1b}[31m",
            "vwr2/daily_statistics/2d/2025-01-01/2025-01-10/0-4/\(end)",
            "vwr1/daily_statistics/2d/2025-01-01/2025-01-10/0-5/\(end)",
            "vwr1/daily_statistics/2d/2025-01-01/2025-01-10/-1/\(end)",
            "vwr1/daily_statistics/2d/2025-01-01/2025-01-10/0-99999999999999999999/\(end)",
            "vwr1/daily_statistics/4294967296d/2025-01-01/2025-01-10/0-4/\(end)",
            "vwr1/daily\u{7}/2d/2025-01-01/2025-01-10/0-4/\(end)",
        ]
        for text in texts {
            XCTAssertThrowsError(try ResumeToken(text)) { XCTAssertEqual(($0 as? VitalwireError)?.kind, .invalidArgument) }
        }
        let nested = Data((String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)).utf8)
        XCTAssertThrowsError(try JSONDecoder().decode(ResumeToken.self, from: nested)) { XCTAssertTrue($0 is DecodingError) }
    }

    func testFailuresAreCollectedOnRequest() async throws {
        let collecting = RangeOptions(collectsFailures: true)
        let merged = try await range(mockStatistics(days(1), MockResponse(status: 503), days(5)), collecting).collect()
        XCTAssertEqual(merged.failures.map(\.index), [1])
        XCTAssertEqual(merged.failures.map(\.error.kind), [.service])
        XCTAssertEqual(merged.resumeToken?.partsLeft, 1)
        var read: [Bool] = []
        for try await part in try range(mockStatistics(days(1), MockResponse(status: 503), days(5)), collecting) {
            read.append((try? part.response) != nil)
        }
        XCTAssertEqual(read, [true, false, true])
    }

    func testReversedBoundsAreAnErrorInsteadOfATrap() async throws {
        let client = try VitalwireClient(ClientOptions(), mockResponses: MockResponses())
        let days = try await expectFailure {
            _ = try await client.statistics.daily(from: last, to: first, of: [.steps], partLength: .days(1)).collect()
        }
        XCTAssertEqual(days.kind, .invalidArgument)
        let now = Date()
        let time = try await expectFailure {
            for try await _ in client.labReports.list(from: now, to: now - 60, partLength: .hours(1)) {}
        }
        XCTAssertEqual(time.kind, .invalidArgument)
        for length in [0, -1, Int.max] {
            let refused = try await expectFailure {
                _ = try await client.labReports.list(now - 3_600..<now, partLength: .hours(length), range: .init(concurrency: 0)).collect()
            }
            XCTAssertEqual(refused.kind, .invalidArgument)
        }
    }

    func testACancelledTaskKeepsThePartsReadSoFar() async throws {
        let slow = try range(mockStatistics(days(1), days(3, delay: .seconds(60))))
        let began = ValueRecorder<RangeProgress>()
        let task = Task { try await slow.collect { began.add($0) } }
        while began.all.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
        task.cancel()
        let error = try await expectFailure { _ = try await task.value }
        XCTAssertEqual(error.kind, .cancelled)
        XCTAssertEqual(error.resumeToken?.partsLeft, 2)
        XCTAssertEqual(error.partialResult(of: slow)?.response.statistics.count, 2)
    }

    func testACancelledLoopKeepsItsResumeToken() async throws {
        let slow = try range(mockStatistics(days(1), days(3, delay: .seconds(60))))
        let read = ValueRecorder<Int>()
        let task = Task { for try await part in slow { read.add(part.index) } }
        while read.all.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
        try await Task.sleep(for: .milliseconds(20))
        task.cancel()
        let error = try await expectFailure { try await task.value }
        XCTAssertEqual(error.kind, .cancelled)
        XCTAssertEqual(error.resumeToken?.partsLeft, 2)

        // A loop that is cancelled before the first part throws instead of ending normally.
        let early = Task {
            while !Task.isCancelled { await Task.yield() }
            for try await _ in slow {}
        }
        early.cancel()
        let before = try await expectFailure { try await early.value }
        XCTAssertEqual(before.kind, .cancelled)
        XCTAssertEqual(before.resumeToken?.partsLeft, 3)
    }

    func testConcurrentReadsAreRejectedAndClosingEndsAReading() async throws {
        let parts = try range(mockStatistics(days(1), days(3, delay: .seconds(60)))).makeAsyncIterator()
        let read = try await parts.next()
        XCTAssertEqual(read?.index, 0)
        let first = Task { try await parts.next() }
        try await Task.sleep(for: .milliseconds(100))
        let second = try await expectFailure { _ = try await parts.next() }
        XCTAssertEqual(second.kind, .configuration)
        parts.close()
        let closed = try await expectFailure { _ = try await first.value }
        XCTAssertEqual(closed.kind, .cancelled)
        let after = try await parts.next()
        XCTAssertNil(after)
        XCTAssertEqual(parts.resumeToken?.partsLeft, 2)
        XCTAssertEqual(parts.progress?.done, 1)
    }

    func testLeavingALoopEarlyRequestsNoFurtherPart() async throws {
        let responses = mockStatistics(days(1), days(3, delay: .milliseconds(50)), days(5))
        for try await part in try range(responses) where part.index == 0 { break }
        try await Task.sleep(for: .milliseconds(400))
        XCTAssertLessThanOrEqual(responses.requests.count, 2)
    }

    func testASlowReaderGetsEveryProgressOfARange() async throws {
        let reports = ValueRecorder<Int>()
        let merged = try await range(mockStatistics(days(1), days(3), days(5))).collect {
            usleep(60_000)
            reports.add($0.done)
        }
        XCTAssertEqual(reports.all, [1, 2, 3])
        XCTAssertEqual(merged.response.statistics.count, 6)
    }

    func testLeavingALoopEarlyClosesTheConnectionsOfItsParts() async throws {
        let hole = try BlackHole()
        let url = URL(string: "http://127.0.0.1:\(hole.port)")!
        let client = try VitalwireClient(ClientOptions(baseURL: url, token: "t", network: .init(proxy: .disabled)))
        var options = RangeOptions()
        options.concurrency = 3
        let range = client.statistics.daily(first...last, of: [.steps], partLength: .days(2), range: options)
        let reading = Task { for try await _ in range {} }
        let connections = try (0..<3).map { _ in try XCTUnwrap(hole.connection()) }
        reading.cancel()
        let error = try await expectFailure { try await reading.value }
        XCTAssertEqual(error.kind, .cancelled)
        // The client still exists, so only the end of the loop can have closed the connections.
        withExtendedLifetime(client) { connections.forEach { XCTAssertTrue(hole.hasEnded($0)) } }
    }

    func testAClosedClientReadsNoPart() async throws {
        let client = try VitalwireClient(ClientOptions(), mockResponses: mockStatistics(days(1)))
        let range = client.statistics.daily(first...last, of: [.steps], partLength: .days(2))
        client.close()
        let collected = try await expectFailure { _ = try await range.collect() }
        let read = try await expectFailure { for try await _ in range {} }
        XCTAssertEqual([collected.kind, read.kind], [.closed, .closed])
    }

    func testDescriptionsHaveNoValues() async throws {
        let broken = try range(mockStatistics(days(1), MockResponse(status: 503)), .init(resumeKey: "CANARY"))
        let error = try await expectFailure { _ = try await broken.collect() }
        var texts = "\(broken) \(error) \(String(reflecting: error.partialResult(of: broken)))"
        let partial = error.partialResult(of: broken) as Any
        for value in [broken, error, error.resumeToken as Any, partial, RangeOptions(resumeKey: "CANARY")] as [Any] {
            dump(value, to: &texts)
        }
        for try await part in try range(mockStatistics(days(1), days(3), days(5))) { dump(part, to: &texts) }
        for canary in ["CANARY", "2025-", "steps"] { XCTAssertFalse(texts.contains(canary), texts) }
    }
}
