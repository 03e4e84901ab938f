import Foundation
import Vitalwire
import VitalwireTesting
import XCTest

/// What is wrong, late, or too much.
final class BadInputTests: XCTestCase {
    private func kind(within limit: Duration = .seconds(20), _ call: () async throws -> Void) async -> ErrorKind? {
        let started = ContinuousClock.now
        defer { XCTAssertLessThan(ContinuousClock.now - started, limit) }
        do {
            try await call()
            return nil
        } catch {
            return (error as? VitalwireError)?.kind
        }
    }

    private let soon = CallOptions(timeout: .milliseconds(300))

    func testAWrongURLIsRefusedAtOnce() {
        for text in ["ftp://health.example.org", "health.example.org", "https://", "/v3", "mailto:a@b.example", "https://h.example?x=CANARY"] {
            XCTAssertThrowsError(try VitalwireClient(ClientOptions(baseURL: URL(string: text), token: "t")), text) { error in
                XCTAssertEqual((error as? VitalwireError)?.kind, .configuration, text)
                XCTAssertFalse("\(error)".contains("CANARY"))
            }
        }
    }

    func testWhatIsNoPinIsRefusedAndNotShown() {
        for pins in [" ; ", "CANARY", "sha256/CANARY", "sha256/Q0FOQVJZ"] {
            let options = ClientOptions(baseURL: URL(string: "https://health.example.org"), token: "t", pinnedKeys: pins)
            XCTAssertThrowsError(try VitalwireClient(options), pins) { error in
                XCTAssertEqual((error as? VitalwireError)?.kind, .configuration, pins)
                XCTAssertFalse("\(error)".contains("CANARY"))
            }
        }
    }

    func testATokenClosureThatNeverReturnsIsEndedByTheDeadline() async throws {
        let client = try VitalwireClient(
            .init(baseURL: URL(string: "http://127.0.0.1:9")),
            tokenProvider: { _ in
                try await Task.sleep(for: .seconds(3600))
                return "late"
            })
        let late = await kind { _ = try await client.user.info(options: soon) }
        XCTAssertEqual(late, .timeout)
    }

    func testATokenClosureThatCallsItsOwnClientIsEndedByTheDeadline() async throws {
        final class Own: @unchecked Sendable { var client: VitalwireClient? }
        let (own, soon) = (Own(), soon)
        let client = try VitalwireClient(
            .init(baseURL: URL(string: "http://127.0.0.1:9")),
            tokenProvider: { _ in AccessToken(try await own.client?.user.info(options: soon).uid ?? "") })
        own.client = client
        defer { own.client = nil }
        let late = await kind { _ = try await client.user.info(options: CallOptions(timeout: .milliseconds(600))) }
        XCTAssertTrue(late == .timeout || late == .authentication, "\(String(describing: late))")
    }

    private func analysing() throws -> VitalwireClient {
        let pending = try Answer(NutritionRecord(id: "n-1", status: .processing))
        let done = try Answer(NutritionRecord(id: "n-1", status: .completed))
        return .answering(Answers().answering(.nutritionRecordsGet, pending, pending, pending, done))
    }

    private let quick = WaitOptions(interval: .init(.milliseconds(5), upTo: .milliseconds(10)))

    func testASlowReaderOfProgressMissesNothing() async throws {
        var (polls, ended): ([Int], String?) = ([], nil)
        for try await state in try analysing().nutritionRecords.waitFor("n-1", wait: quick) {
            try await Task.sleep(for: .milliseconds(60))
            switch state {
            case .progress(let progress): polls.append(progress.polls)
            case .ended(let record): ended = record.id
            }
        }
        XCTAssertEqual(polls, [1, 2, 3, 4])
        XCTAssertEqual(ended, "n-1")
    }

    func testAReaderThatThrowsOrStopsEndsTheWait() async throws {
        struct Enough: Error {}
        let client = try analysing()
        do {
            for try await _ in client.nutritionRecords.waitFor("n-1", wait: quick) { throw Enough() }
            XCTFail("nothing was thrown")
        } catch { XCTAssertTrue(error is Enough) }
        for try await _ in client.nutritionRecords.waitFor("n-1", wait: quick) { break }
        let record = try await client.nutritionRecords.waitFor("n-1", wait: quick).record()
        XCTAssertEqual(record.id, "n-1")
    }

    func testACallThatIsCancelledBeforeItStartsSendsNothing() async throws {
        let answers = Answers.samples
        let client = VitalwireClient.answering(answers)
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await client.user.info()
        }
        task.cancel()
        let result = await task.result
        XCTAssertThrowsError(try result.get()) { XCTAssertTrue($0 is CancellationError, "\(type(of: $0))") }
        XCTAssertEqual(answers.requested.count, 0)
    }

    func testACallThatIsCancelledWhileItsAnswerIsReadEndsEitherWay() async throws {
        let numbers = Series((0..<80_000).map { Double($0 % 200) })
        let samples = SleepSamples(offsets: numbers, values: SleepSampleValues([.heartrate: numbers]))
        let client = VitalwireClient.answering(Answers().answering(.sleepsGet, try Answer(SleepRecord(id: "s-1", samples: samples))))
        let whole = try await client.sleeps.get("s-1")
        XCTAssertEqual(whole.samples?.values?[.heartrate]?.count, 80_000)
        for wait in 0..<20 {
            let task = Task { try await client.sleeps.get("s-1") }
            try await Task.sleep(for: .milliseconds(wait * 2))
            task.cancel()
            switch await task.result {
            case .success(let night): XCTAssertEqual(night.id, "s-1")
            case .failure(let error): XCTAssertTrue(error is CancellationError, "\(type(of: error))")
            }
        }
    }

    func testAHundredCallsAtOnceHaveEachItsOwnAnswer() async throws {
        let environment = ProcessInfo.processInfo.environment
        let url = URL(string: try XCTUnwrap(environment["VITALWIRE_BASE_URL"], "run this by `cargo xtask test`"))
        let client = try VitalwireClient(ClientOptions(baseURL: url, token: environment["VITALWIRE_TOKEN"]))
        let first = try XCTUnwrap(CalendarDate("2025-06-01")).start(in: .gmt)
        let days = try (0..<100).map { CalendarDate(try XCTUnwrap(first).addingTimeInterval(Double($0) * 86_400), in: .gmt) }
        try await withThrowingTaskGroup(of: (CalendarDate, DailyStatistics).self) { group in
            for day in days { group.addTask { (day, try await client.statistics.daily(fromDate: day, toDate: day, types: [.steps])) } }
            var answered = Set<CalendarDate>()
            for try await (asked, answer) in group {
                XCTAssertEqual(answer.fromDate, asked)
                answered.insert(asked)
            }
            XCTAssertEqual(answered.count, 100)
        }
    }

    #if os(Linux)
        func testClientsAndCancelledCallsLeaveNothingBehind() async throws {
            let slow = VitalwireClient.answering(.delayed(.seconds(60)))
            func round(_ clients: Int, _ calls: Int) async throws {
                for _ in 0..<clients { _ = try await VitalwireClient.answering(.samples).user.info() }
                var left = calls
                while left > 0 {
                    let tasks = (0..<min(50, left)).map { _ in Task { try await slow.user.info() } }
                    left -= tasks.count
                    await Task.yield()
                    tasks.forEach { $0.cancel() }
                    for task in tasks {
                        let result = await task.result
                        XCTAssertThrowsError(try result.get()) { XCTAssertTrue($0 is CancellationError, "\(type(of: $0))") }
                    }
                }
            }
            // The first round fills what is kept: threads of the pools, the allocator's own stores.
            try await round(250, 2_500)
            let before = try Process.now()
            try await round(1_000, 10_000)
            let after = try Process.now()
            XCTAssertLessThanOrEqual(after.descriptors, before.descriptors + 4)
            XCTAssertLessThanOrEqual(after.threads, before.threads + 4)
            XCTAssertLessThan(after.kilobytes, before.kilobytes + 16 * 1024)
        }

        /// What the system says of this process.
        private struct Process {
            let (descriptors, threads, kilobytes): (Int, Int, Int)

            static func now() throws -> Process {
                let count = { (folder: String) in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(folder)").count }
                let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8).split(separator: "\n")
                let resident = status.first { $0.hasPrefix("VmRSS:") }?.split(whereSeparator: { !$0.isNumber }).first
                return Process((try count("fd"), try count("task"), Int(resident ?? "") ?? 0))
            }

            private init(_ counted: (Int, Int, Int)) { (descriptors, threads, kilobytes) = counted }
        }
    #endif
}
