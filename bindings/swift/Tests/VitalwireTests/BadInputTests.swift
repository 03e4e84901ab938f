import Foundation
import Vitalwire
import VitalwireTesting
import XCTest

/// Tests invalid settings, slow closures and extreme values.
final class BadInputTests: XCTestCase {
    private func errorKind(within limit: Duration = .seconds(20), _ call: () async throws -> Void) async -> ErrorKind? {
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

    func testAnInvalidURLIsRejectedAtOnce() throws {
        let texts = [
            "ftp://health.example.org", "health.example.org", "https://", "/v3", "mailto:a@b.example", "https://h.example?x=CANARY",
        ]
        for text in texts {
            let url = try XCTUnwrap(URL(string: text), text)
            XCTAssertThrowsError(try VitalwireClient(ClientOptions(baseURL: url, token: "t")), text) { error in
                XCTAssertEqual((error as? VitalwireError)?.kind, .configuration, text)
                XCTAssertFalse("\(error)".contains("CANARY"))
            }
        }
    }

    func testAnInvalidPinIsRejectedAndNotShown() {
        for pins in [[" "], ["CANARY"], ["sha256/CANARY"], ["sha256/Q0FOQVJZ"]] {
            let options = ClientOptions(baseURL: URL(string: "https://health.example.org")!, token: "t", network: .init(pinnedKeys: pins))
            XCTAssertThrowsError(try VitalwireClient(options), "\(pins)") { error in
                XCTAssertEqual((error as? VitalwireError)?.kind, .configuration, "\(pins)")
                XCTAssertFalse("\(error)".contains("CANARY"))
            }
        }
    }

    func testAnInvalidClientCertificateIsRejectedAndNotShown() {
        let url = URL(string: "https://health.example.org")!
        let file = URL(fileURLWithPath: "/nowhere/CANARY.pem")
        for options in [
            ClientOptions(baseURL: url, token: "t", network: .init(clientCertificate: .pem("CANARY"))),
            ClientOptions(baseURL: url, token: "t", network: .init(clientCertificate: .file(file))),
        ] {
            XCTAssertFalse("\(options) \(options.network) \(String(describing: options.network.clientCertificate))".contains("CANARY"))
            XCTAssertThrowsError(try VitalwireClient(options)) { error in
                XCTAssertEqual((error as? VitalwireError)?.kind, .configuration)
                XCTAssertFalse("\(error)".contains("CANARY"))
            }
        }
    }

    func testDurationsOfAnyLengthAreAccepted() async throws {
        let responses = MockResponses.samples
        let (most, least) = (Duration.seconds(Int64.max), Duration.seconds(Int64.min))
        for duration in [most, least, .seconds(-1), .nanoseconds(1), .seconds(Int64.max / 1_000), .seconds(Int64.min / 1_000)] {
            // Extreme values may be rejected but must not trap.
            func assertNoForeignError(
                _ options: ClientOptions = .init(), _ call: CallOptions = .init(), _ wait: WaitOptions = .init()
            ) async {
                do {
                    let client = try VitalwireClient(options, mockResponses: responses)
                    _ = try await client.user.info(options: call)
                    _ = try await client.nutritionRecords.waitFor("n-1", wait: wait).record()
                } catch { XCTAssertTrue(error is VitalwireError, "\(type(of: error))") }
            }
            await assertNoForeignError(.init(timeouts: .init(connect: duration)))
            await assertNoForeignError(.init(timeouts: .init(attempt: duration)))
            await assertNoForeignError(.init(timeouts: .init(call: duration)))
            await assertNoForeignError(.init(timeouts: .init(uploadAttempt: duration)))
            await assertNoForeignError(.init(timeouts: .init(upload: duration)))
            await assertNoForeignError(.init(retry: .init(baseDelay: duration)))
            await assertNoForeignError(.init(retry: .init(maxDelay: duration)))
            await assertNoForeignError(.init(retry: .init(retryAfterCap: duration)))
            await assertNoForeignError(.init(), .init(timeout: duration))
            await assertNoForeignError(.init(), .init(attemptTimeout: duration))
            await assertNoForeignError(.init(), .init(connectTimeout: duration))
            await assertNoForeignError(.init(), .init(), .init(timeout: duration))
            await assertNoForeignError(.init(), .init(), .init(interval: .init(duration, upTo: duration)))
            let token = AccessToken("t", lifetime: duration)
            let client = try VitalwireClient(.init(baseURL: URL(string: "http://127.0.0.1:9")!, retry: .init(maxRetries: 0)),
                tokenProvider: { _ in token })
            let refused = await errorKind { _ = try await client.user.info(options: soon) }
            XCTAssertNotNil(refused)
            let late = MockResponses.samples.on(.userInfo, try MockResponse(UserInfo.sample).delayed(duration))
            _ = await errorKind { _ = try await VitalwireClient.mock(late).user.info(options: soon) }
            let stage = SleepStage(stage: .deep, duration: duration)
            _ = try JSONEncoder().encode(stage)
        }
    }

    func testAVeryShortIntervalIsNotZero() async throws {
        // A first interval of 0 is rejected.
        let client = try analysing()
        func waitErrorKind(_ first: Duration) async -> ErrorKind? {
            let wait = WaitOptions(interval: .init(first, upTo: .milliseconds(10)))
            return await errorKind { _ = try await client.nutritionRecords.waitFor("n-1", wait: wait).record() }
        }
        let (none, short) = (await waitErrorKind(.zero), await waitErrorKind(.nanoseconds(1)))
        XCTAssertNotNil(none)
        XCTAssertNil(short)
    }

    func testTheErrorOfATokenClosureFailsOnlyCallsOfItsService() async throws {
        struct HealthSignedOut: Error {}
        struct CareSignedOut: Error {}
        let url = try XCTUnwrap(URL(string: "http://127.0.0.1:9"))
        let client = try VitalwireClient(
            .init(baseURL: url, care: .init(baseURL: url)), tokenProvider: { _ in throw HealthSignedOut() },
            careTokenProvider: { _ in throw CareSignedOut() })
        func expectFailure(_ call: () async throws -> Void) async throws -> VitalwireError {
            do { try await call() } catch let error as VitalwireError { return error }
            throw CancellationError()
        }
        let health = try await expectFailure { _ = try await client.user.info() }
        let care = try await expectFailure { _ = try await client.care.benefits(clinicID: "c", patientID: "p", policyID: "o") }
        XCTAssertTrue(health.underlying is HealthSignedOut, "\(health)")
        XCTAssertTrue(care.underlying is CareSignedOut, "\(care)")
    }

    func testTheErrorOfARejectedTokenIsNotThatOfTheClosure() async throws {
        struct SignedOut: Error {}
        let environment = ProcessInfo.processInfo.environment
        let url = try XCTUnwrap(environment["VITALWIRE_BASE_URL"].flatMap(URL.init(string:)), "run this by `cargo xtask test`")
        let client = try VitalwireClient(.init(baseURL: url), tokenProvider: { _ in throw SignedOut() })
        do { _ = try await client.user.info() } catch { XCTAssertTrue((error as? VitalwireError)?.underlying is SignedOut) }
        do {
            _ = try await client.user.info(options: .init(token: "refused"))
            XCTFail("the token is good")
        } catch let error as VitalwireError {
            XCTAssertEqual(error.kind, .authentication)
            XCTAssertEqual(error.status, 401)
            XCTAssertNil(error.underlying)
        }
    }

    func testATokenClosureGetsTheReasonThatItsTokenWasRejected() async throws {
        let environment = ProcessInfo.processInfo.environment
        let url = try XCTUnwrap(environment["VITALWIRE_BASE_URL"].flatMap(URL.init(string:)), "run this by `cargo xtask test`")
        let good = try XCTUnwrap(environment["VITALWIRE_TOKEN"])
        let reasons = ValueRecorder<RefreshReason>()
        let client = try VitalwireClient(
            .init(baseURL: url),
            tokenProvider: { reason in
                reasons.add(reason)
                return AccessToken(reason == .rejected ? good : "refused")
            })
        _ = try await client.user.info()
        XCTAssertEqual(reasons.all, [.missing, .rejected])
    }

    func testACallTimesOutWhileItsTokenClosureNeverReturns() async throws {
        let ended = ValueRecorder<Bool>()
        let client = try VitalwireClient(
            .init(baseURL: URL(string: "http://127.0.0.1:9")!),
            tokenProvider: { _ in
                defer { ended.add(Task.isCancelled) }
                try await Task.sleep(for: .seconds(3600))
                return "late"
            })
        let late = await errorKind { _ = try await client.user.info(options: soon) }
        XCTAssertEqual(late, .timeout)
        // The client also cancels the task of the closure, so that the closure can stop.
        let started = ContinuousClock.now
        while ended.all.isEmpty, ContinuousClock.now - started < .seconds(10) { try await Task.sleep(for: .milliseconds(10)) }
        XCTAssertEqual(ended.all, [true])
    }

    /// Calls that a token closure may make to a client.
    private static let innerCalls: [(String, @Sendable (VitalwireClient) async throws -> Void)] = [
        ("a call", { _ = try await $0.user.info() }),
        ("a child task", { client in
            async let info = client.user.info()
            _ = try await info
        }),
        ("a task", { client in _ = try await Task { try await client.user.info() }.value }),
        ("a wait", { _ = try await $0.nutritionRecords.waitFor("n-1").record() }),
        ("a range", { client in
            let days = CalendarDate(year: 2025, month: 3, day: 1)!...CalendarDate(year: 2025, month: 3, day: 3)!
            _ = try await client.sleeps.between(days).collect()
        }),
    ]

    func testATokenClosureThatCallsItsOwnClientFailsAtOnce() async throws {
        final class ClientHolder: @unchecked Sendable { var client: VitalwireClient? }
        for (name, inner) in Self.innerCalls {
            let own = ClientHolder()
            let client = try VitalwireClient(
                .init(baseURL: URL(string: "http://127.0.0.1:9")!),
                tokenProvider: { _ in
                    try await inner(XCTUnwrap(own.client))
                    return "never"
                })
            own.client = client
            defer { own.client = nil }
            let started = ContinuousClock.now
            do {
                _ = try await client.user.info()
                XCTFail(name)
            } catch {
                let failed = try XCTUnwrap(error as? VitalwireError, name)
                XCTAssertEqual(failed.kind, .authentication, name)
                XCTAssertEqual((failed.underlying as? VitalwireError)?.kind, .configuration, name)
            }
            XCTAssertLessThan(ContinuousClock.now - started, .seconds(4), name)
        }
    }

    func testATokenClosureMayCallAnotherClient() async throws {
        let other = VitalwireClient.mock(.samples)
        let token = try await other.user.info().uid
        let seen = ValueRecorder<String>()
        let client = try VitalwireClient(
            .init(baseURL: URL(string: "http://127.0.0.1:9")!),
            tokenProvider: { _ in
                let uid = try await other.user.info().uid ?? ""
                seen.add(uid)
                return AccessToken(uid)
            })
        let refused = await errorKind { _ = try await client.user.info(options: .init(maxRetries: 0)) }
        XCTAssertEqual(refused, .transport)
        XCTAssertEqual(seen.all, [token])
    }

    private func analysing() throws -> VitalwireClient {
        let pending = try MockResponse(NutritionRecord(id: "n-1", status: .processing))
        let done = try MockResponse(NutritionRecord(id: "n-1", status: .completed))
        return .mock(MockResponses().on(.nutritionRecordsGet, pending, pending, pending, done))
    }

    /// Creates mock responses for an analysis that never ends.
    private func pendingResponses() throws -> MockResponses {
        MockResponses().on(.nutritionRecordsGet, try MockResponse(NutritionRecord(id: "n-1", status: .processing)))
    }

    private func hasNoMoreRequests(_ responses: MockResponses) async throws -> Bool {
        // Let a poll in flight complete first.
        try await Task.sleep(for: .milliseconds(100))
        let before = responses.requests.count
        try await Task.sleep(for: .milliseconds(300))
        return responses.requests.count == before
    }

    private let quick = WaitOptions(interval: .init(.milliseconds(5), upTo: .milliseconds(10)))

    func testASlowReaderGetsEveryProgressOfAWait() async throws {
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
        struct StopReading: Error {}
        let responses = try pendingResponses()
        let client = VitalwireClient.mock(responses)
        do {
            for try await _ in client.nutritionRecords.waitFor("n-1", wait: quick) { throw StopReading() }
            XCTFail("nothing was thrown")
        } catch { XCTAssertTrue(error is StopReading) }
        let afterThrowing = try await hasNoMoreRequests(responses)
        XCTAssertTrue(afterThrowing)
        for try await _ in client.nutritionRecords.waitFor("n-1", wait: quick) { break }
        let afterBreaking = try await hasNoMoreRequests(responses)
        XCTAssertTrue(afterBreaking)
        // A wait that is still read sends polls, so the check must return false.
        let quick = quick
        let reading = Task { for try await _ in client.nutritionRecords.waitFor("n-1", wait: quick) {} }
        let whileRead = try await hasNoMoreRequests(responses)
        XCTAssertFalse(whileRead)
        reading.cancel()
        _ = await reading.result
    }

    func testACallCancelledBeforeItsStartSendsNothing() async throws {
        let responses = MockResponses.samples
        let client = VitalwireClient.mock(responses)
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await client.user.info()
        }
        task.cancel()
        let result = await task.result
        XCTAssertThrowsError(try result.get()) { XCTAssertTrue($0 is CancellationError, "\(type(of: $0))") }
        XCTAssertEqual(responses.requests.count, 0)
    }

    func testACallCancelledDuringItsResponseSucceedsOrIsCancelled() async throws {
        let numbers = Series((0..<80_000).map { Double($0 % 200) })
        let samples = SleepSamples(offsets: numbers, values: SleepSampleValues([.heartrate: numbers]))
        let responses = MockResponses().on(.sleepsGet, try MockResponse(SleepRecord(id: "s-1", samples: samples)))
        final class CallbackHolder: @unchecked Sendable { var taken: (@Sendable () -> Void)? }
        let holder = CallbackHolder()
        // The callback runs after the response has arrived and before the response is decoded.
        let client = try VitalwireClient(.init(), mockResponses: responses, onAttempt: { if $0.status == 200 { holder.taken?() } })
        let whole = try await client.sleeps.get("s-1")
        XCTAssertEqual(whole.samples?.values?[.heartrate]?.count, 80_000)
        var cancelledMeanwhile = 0
        for wait in 0..<20 {
            let (taken, ended) = (AsyncStream<Void>.makeStream(), ValueRecorder<Bool>())
            holder.taken = { taken.continuation.finish() }
            let task = Task {
                defer { ended.add(true) }
                return try await client.sleeps.get("s-1")
            }
            for await _ in taken.stream {}
            try await Task.sleep(for: .microseconds(wait * 500))
            task.cancel()
            if ended.all.isEmpty { cancelledMeanwhile += 1 }
            switch await task.result {
            case .success(let night): XCTAssertEqual(night.samples?.offsets?.count, 80_000)
            case .failure(let error): XCTAssertTrue(error is CancellationError, "\(type(of: error))")
            }
        }
        XCTAssertGreaterThan(cancelledMeanwhile, 0)
    }

    func testAHundredConcurrentCallsGetTheirOwnResponses() async throws {
        let environment = ProcessInfo.processInfo.environment
        let url = try XCTUnwrap(environment["VITALWIRE_BASE_URL"].flatMap(URL.init(string:)), "run this by `cargo xtask test`")
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
}
