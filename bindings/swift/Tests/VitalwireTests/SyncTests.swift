import Foundation
import Vitalwire
import XCTest

/// Tests syncs, with mock responses. The clock of the service shows noon of 2025-11-20.
final class SyncTests: XCTestCase {
    private let secret = Data("0123456789abcdef".utf8)
    private let first = CalendarDate("2025-11-10")!

    /// Days from the 10th to the 20th with steps. The 15th has none.
    private let days = [10, 11, 12, 13, 14, 16, 17, 18, 19, 20]

    private var steps: [Int: Int] { Dictionary(uniqueKeysWithValues: days.map { ($0, 1_000 + $0) }) }

    /// Steps of the days that a second sync requests: the 19th is the last day that is over, so the look-back of 7 days begins on the 13th.
    private var recent: [Int: Int] { steps.filter { $0.key >= 13 } }

    private func response(_ body: String, delay: Duration = .zero) -> MockResponse {
        // The clock of a sandbox alone counts.
        let headers = ["date": "Thu, 20 Nov 2025 12:00:00 GMT", "vitalwire-sandbox": "seed=1"]
        return MockResponse(json: body, headers: headers, delay: delay)
    }

    private func daily(_ steps: [Int: Int]) -> MockResponse {
        let days = steps.keys.sorted().map { #"{"date": "2025-11-\#($0)", "values": {"steps": \#(steps[$0]!)}}"# }
        let list = days.joined(separator: ", ")
        return response(#"{"from_date": "2025-11-10", "to_date": "2025-11-21", "statistics": [\#(list)]}"#)
    }

    private func hourly(delay: Duration = .zero) -> MockResponse {
        let times = #""from_timestamp": "2025-11-19T07:00:00Z", "to_timestamp": "2025-11-19T08:00:00Z""#
        return response(#"{"statistics": [{\#(times), "values": {"steps": 7}}]}"#, delay: delay)
    }

    private func service(_ steps: [Int: Int], hours: MockResponse? = nil, failing: Bool = false) -> MockResponses {
        let responses = MockResponses()
        responses.add(response(#"{"application_user_id": "user-7", "integrated_providers": []}"#), to: "get_user_info")
        responses.add(failing ? MockResponse(status: 500) : daily(steps), to: "daily_statistics")
        responses.add(hours ?? hourly(), to: "interval_statistics")
        return responses
    }

    private func client(_ responses: MockResponses, url: String? = nil) throws -> VitalwireClient {
        var options = ClientOptions(retry: .init(maxRetries: 0))
        options.health = url.flatMap { URL(string: $0) }.map { ClientOptions.Service(baseURL: $0) }
        return try VitalwireClient(options, mockResponses: responses)
    }

    private func sync(
        _ responses: MockResponses, _ state: Data? = nil, kinds: Set<RecordKind> = [.daily], user: String = "me", lookBack: Int? = nil,
        expectAccount: String? = nil
    ) throws -> SyncCall {
        try client(responses).sync(
            kinds, secret: secret, user: user, state: state, from: first, lookBack: lookBack, expectAccount: expectAccount)
    }

    private func parts(_ call: SyncCall) async throws -> [SyncPart] {
        var parts: [SyncPart] = []
        for try await part in call { parts.append(part) }
        return parts
    }

    /// Returns the only part of a sync.
    private func part(_ call: SyncCall) async throws -> SyncPart {
        let parts = try await parts(call)
        XCTAssertEqual(parts.count, 1)
        return try XCTUnwrap(parts.first)
    }

    private func synced() async throws -> Data { try await part(sync(service(steps))).state }

    private func shown(_ part: SyncPart) -> [String] {
        part.changes.map { "\($0.type.rawValue) \($0.id ?? "-") \($0.day.map { "\($0.month)-\($0.day)" } ?? "-")" }
    }

    private func failure<Failure: Error>(_ type: Failure.Type, _ work: () async throws -> Void) async throws -> Failure {
        do {
            try await work()
        } catch {
            return try XCTUnwrap(error as? Failure, "\(Swift.type(of: error))")
        }
        throw UnexpectedSuccess()
    }

    private struct UnexpectedSuccess: Error {}

    func testAFirstSyncReturnsEveryRecordAsAdded() async throws {
        let part = try await part(sync(service(steps)))
        XCTAssertEqual(shown(part), days.map { "added 2025-11-\($0) 11-\($0)" })
        // The next day has begun in the first time zones.
        XCTAssertEqual(part.days, first...CalendarDate("2025-11-21")!)
        XCTAssertEqual(part.kinds, [.daily])
        XCTAssertEqual([part.progress.doneDays, part.progress.totalDays], [12, 12])
        XCTAssertEqual(part.progress.fraction, 1)
        XCTAssertFalse(part.hasMore)
        XCTAssertEqual(part.leftOut, 0)
        XCTAssertEqual(part.changes.first?.jsonRows, [#"{"date":"2025-11-10","steps":1010.0}"#])
        XCTAssertTrue(part.changes.allSatisfy { $0.before == nil && $0.after?.count == 12 })
        XCTAssertEqual(part.table(.daily)?["steps"]?.numbers, days.map { Double(1_000 + $0) })
        XCTAssertNil(part.table(.sleeps))
        XCTAssertEqual(try SyncCall.generation(of: part.state), part.generation)
        XCTAssertLessThan(try SyncCall.generation(of: part.stateBefore), part.generation)
    }

    func testAnIteratorStaysAtItsEnd() async throws {
        let iterator = try sync(service(steps)).makeAsyncIterator()
        let part = try await iterator.next()
        XCTAssertNotNil(part)
        for _ in 0..<3 {
            let end = try await iterator.next()
            XCTAssertNil(end)
        }
    }

    func testASyncWithoutNewsReturnsNoChange() async throws {
        let state = try await synced()
        let responses = service(recent)
        let part = try await part(sync(responses, state))
        XCTAssertEqual(shown(part), [])
        XCTAssertEqual(part.days.lowerBound, CalendarDate("2025-11-13"))
        XCTAssertEqual(responses.requests.map(\.operation), ["get_user_info", "daily_statistics"])
        XCTAssertGreaterThan(part.generation, try SyncCall.generation(of: state))
    }

    func testLateChangedAndRemovedDaysAreFound() async throws {
        var news = recent
        (news[15], news[19], news[17]) = (15, 5, nil)
        let part = try await part(sync(service(news), synced()))
        XCTAssertEqual(Set(shown(part)), ["added 2025-11-15 11-15", "changed 2025-11-19 11-19", "removed 2025-11-17 11-17"])
        let late = try XCTUnwrap(part.changes.first { $0.type == .added })
        let changed = try XCTUnwrap(part.changes.first { $0.type == .changed })
        let removed = try XCTUnwrap(part.changes.first { $0.type == .removed })
        XCTAssertNil(late.before)
        XCTAssertNotNil(late.after)
        XCTAssertNotNil(changed.before)
        XCTAssertNotEqual(changed.before, changed.after)
        XCTAssertEqual(changed.jsonRows, [#"{"date":"2025-11-19","steps":5.0}"#])
        XCTAssertNil(removed.after)
        XCTAssertEqual(removed.jsonRows, [])
        let next = try await self.part(sync(service(news), part.state))
        XCTAssertEqual(shown(next), [])
    }

    func testAStateThatDoesNotMatchIsAnErrorOfItsOwn() async throws {
        let state = try await synced()
        let responses = service(steps)
        let other = Data("another secret of ours".utf8)
        var newer = state
        newer[newer.startIndex + 6] += 1
        let elsewhere = try client(responses, url: "https://other.example.org")
        let calls: [(StateError.Reason, SyncCall)] = [
            (.damaged, try sync(responses, state.dropLast())),
            (.unsupportedVersion, try sync(responses, newer)),
            (.otherKey, try client(responses).sync([.daily], secret: other, user: "me", state: state)),
            (.otherService, elsewhere.sync([.daily], secret: secret, user: "me", state: state)),
            (.otherUser, try sync(responses, state, user: "you")),
        ]
        for (reason, call) in calls {
            let error = try await failure(StateError.self) { _ = try await parts(call) }
            XCTAssertEqual(error.kind, .invalidArgument)
            XCTAssertEqual(error.reason, reason)
            XCTAssertTrue(error.description.contains("start again"), error.description)
            XCTAssertEqual(error.localizedDescription, "The stored data cannot be updated.")
            let own = "Sign in with the account of the stored data, or load all data again."
            XCTAssertEqual(error.recoverySuggestion, reason == .otherUser ? own : "Load all data again.")
            let planned = try await failure(StateError.self) { _ = try await call.plan() }
            XCTAssertEqual(planned, error)
        }
        XCTAssertEqual(responses.requests, [])
        XCTAssertThrowsError(try SyncCall.generation(of: Data())) { XCTAssertEqual(($0 as? StateError)?.reason, .damaged) }
    }

    func testTheTokenOfAnotherUserIsAnErrorBeforeRecordsAreRead() async throws {
        let state = try await synced()
        let responses = MockResponses()
        responses.add(response(#"{"application_user_id": "user-8", "integrated_providers": []}"#), to: "get_user_info")
        let error = try await failure(StateError.self) { _ = try await parts(sync(responses, state)) }
        XCTAssertEqual(error.reason, .otherUser)
        let expected = try await failure(VitalwireError.self) { _ = try await parts(sync(responses, expectAccount: "user-7")) }
        XCTAssertEqual(expected.argument, "token")
        XCTAssertEqual(responses.requests.map(\.operation), ["get_user_info", "get_user_info"])
    }

    func testInvalidArgumentsAreRejectedBeforeAnyRequest() async throws {
        let responses = service(steps)
        let calls = [
            "kinds": [try sync(responses, kinds: [])],
            "user": [try sync(responses, user: "")],
            "secret": [try client(responses).sync([.daily], secret: Data(count: 15), user: "me")],
            "lookBack": try [-1, 0, 3_661].map { try sync(responses, lookBack: $0) },
        ]
        for (argument, calls) in calls {
            for call in calls {
                let error = try await failure(VitalwireError.self) { _ = try await parts(call) }
                XCTAssertEqual(error.argument, argument)
            }
        }
        XCTAssertEqual(responses.requests, [])
    }

    func testACancelledSyncContinuesFromItsLastState() async throws {
        let slow = service(steps, hours: hourly(delay: .seconds(60)))
        let call = try sync(slow, kinds: [.daily, .hourly])
        let read = ValueRecorder<SyncPart>()
        let task = Task { for try await part in call { read.add(part) } }
        while !slow.requests.contains(where: { $0.operation == "interval_statistics" }) { try await Task.sleep(for: .milliseconds(5)) }
        task.cancel()
        _ = try await failure(CancellationError.self) { try await task.value }
        let part = try XCTUnwrap(read.all.first)
        XCTAssertEqual(read.all.count, 1)
        XCTAssertEqual(part.kinds, [.daily])
        XCTAssertTrue(part.hasMore)
        let rest = try await parts(sync(service(recent), part.state, kinds: [.daily, .hourly]))
        XCTAssertEqual(rest.flatMap { shown($0) }, ["added 2025-11-19T07:00:00Z 11-19"])
        XCTAssertEqual(rest.first { $0.kinds == [.hourly] }?.days.lowerBound, first)
    }

    func testAFailedPartIsLeftOutAndTheErrorFollowsTheOtherParts() async throws {
        let call = try sync(service(steps, failing: true), kinds: [.daily, .hourly])
        let iterator = call.makeAsyncIterator()
        let read = try await iterator.next()
        let part = try XCTUnwrap(read)
        XCTAssertEqual(part.kinds, [.hourly])
        let error = try await failure(VitalwireError.self) { _ = try await iterator.next() }
        XCTAssertEqual(error.kind, .service)
        for _ in 0..<2 {
            let end = try await iterator.next()
            XCTAssertNil(end)
        }
        // The days of the failed part stay due.
        let rest = try await parts(sync(service(steps), part.state, kinds: [.daily, .hourly]))
        XCTAssertEqual(rest.map(\.changes.count).reduce(0, +), days.count)
    }

    func testEventsMakeTheirDaysDueOnce() async throws {
        let client = try client(service(recent))
        let start = CalendarDate("2025-10-01")!
        let state = try await part(client.sync([.daily], secret: secret, user: "me", from: start)).state
        let range = { (first: String, last: String) in CalendarDate(first)!...CalendarDate(last)! }
        let due = { (state: Data, events: [SyncEvent]) in
            try await client.sync([.daily], secret: self.secret, user: "me", state: state, events: events).plan().days.flatMap(\.days)
        }
        let look = range("2025-11-13", "2025-11-21")
        let before = try await due(state, [])
        XCTAssertEqual(before, [look])
        // 2025-10-05T10:00:00Z and 2025-10-06T01:00:00Z.
        let (earliest, latest) = (Date(timeIntervalSince1970: 1_759_658_400), Date(timeIntervalSince1970: 1_759_712_400))
        let webhook = SyncEvent([.daily], earliest: earliest, latest: latest, applicationUserID: "user-7")
        let span = SyncEvent([.daily], days: range("2025-10-20", "2025-10-21"))
        let received = [webhook, span, webhook]
        let marked = try await client.sync([.daily], secret: secret, user: "me", state: state, events: received).recordEvents()
        let after = try await due(marked, [])
        XCTAssertEqual(after, [range("2025-10-04", "2025-10-07"), range("2025-10-20", "2025-10-21"), look])
        XCTAssertEqual(try SyncCall.generation(of: marked), try SyncCall.generation(of: state) + 1)
        // Statistics of three ranges, and the user's information.
        let plan = try await client.sync([.daily], secret: secret, user: "me", state: marked).plan()
        XCTAssertEqual(plan.requests, 4)

        let foreign = SyncEvent([.daily], earliest: earliest, applicationUserID: "user-8")
        let error = try await failure(VitalwireError.self) { _ = try await due(state, [foreign]) }
        XCTAssertEqual(error.argument, "events")
    }

    func testNoTextHasAnIDADayAValueOrTheSecret() async throws {
        let call = try sync(service(steps))
        let part = try await part(call)
        let plan = try await call.plan()
        let event = SyncEvent([.daily], days: first...first)
        let all: [Any] = [call, call.makeAsyncIterator(), part, part.changes[0], part.progress, plan, plan.days[0], event]
        for value in all {
            var text = "\(value) \(String(reflecting: value)) "
            dump(value, to: &text)
            for hidden in ["2025", "1010", "user-7", "0123456789abcdef"] { XCTAssertFalse(text.contains(hidden), text) }
        }
        XCTAssertEqual("\(part)", "SyncPart(10 changes, 12 of 12 days)")
        XCTAssertEqual("\(part.changes[0])", "Change(daily added)")
    }

    func testPartsAreCreatedForTests() {
        let change = Change(.sleeps, .removed, id: "s-1", day: first)
        let part = SyncPart(days: first...first, changes: [change], state: Data([1]))
        XCTAssertEqual(part.kinds, [.sleeps])
        XCTAssertNil(part.table(.sleeps))
    }
}
