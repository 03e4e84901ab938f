import Foundation
import Vitalwire
import XCTest

/// Tests mock responses, and the attempts that a closure receives.
final class MockResponsesTests: XCTestCase {
    private func client(_ responses: MockResponses, onAttempt: (@Sendable (Attempt) -> Void)? = nil) throws -> VitalwireClient {
        try VitalwireClient(ClientOptions(), mockResponses: responses, onAttempt: onAttempt)
    }

    private func user(_ given: MockResponse...) -> MockResponses {
        let responses = MockResponses()
        given.forEach { responses.add($0, to: "get_user_info") }
        return responses
    }

    private func errorKind(_ call: () async throws -> Void) async -> ErrorKind? {
        do {
            try await call()
            return nil
        } catch {
            return (error as? VitalwireError)?.kind
        }
    }

    func testMockResponsesAreReturnedInOrderThroughTheWholeClient() async throws {
        let named = MockResponse(json: #"{"uid": "u-1"}"#, headers: ["x-request-id": "req-1"])
        let responses = user(MockResponse(status: 503), named)
        let seen = ClosureValues<Attempt>()
        let uid = try await client(responses, onAttempt: { seen.add($0) }).user.info().uid
        XCTAssertEqual(uid, "u-1")
        XCTAssertEqual(seen.all.map(\.status), [503, 200])
        XCTAssertEqual(seen.all.map(\.error), [.service, nil])
        XCTAssertEqual(seen.all.map(\.nextDelay), [.zero, nil])
        XCTAssertEqual(seen.all.map(\.requestID), [nil, "req-1"])
        XCTAssertTrue(seen.all.allSatisfy { $0.operation == "get_user_info" && $0.pathTemplate == "/v3/userinfo" })
        let text = try XCTUnwrap(seen.all.first).description
        XCTAssertTrue(text.hasPrefix("GET /v3/userinfo (get_user_info), attempt 1: 503 service in "), text)
        XCTAssertTrue(text.hasSuffix(" ms, next after 0 ms"), text)
        XCTAssertEqual(responses.requests.map(\.path), ["/v3/userinfo", "/v3/userinfo"])
    }

    func testAResponseBodyIsKeptOnRequest() async throws {
        let client = try client(user(MockResponse(json: #"{"uid": "u-1"}"#), MockResponse(json: "[]")))
        let options = CallOptions(keepBody: true)
        let kept = try await client.withResponse { try await $0.user.info(options: options) }
        XCTAssertEqual(kept.body, Data(#"{"uid": "u-1"}"#.utf8))
        XCTAssertFalse("\(kept)".contains("u-1"))
        for (options, body) in [(options, Data("[]".utf8)), (CallOptions(), nil)] {
            do {
                _ = try await client.user.info(options: options)
                XCTFail("a list is no user")
            } catch let error as VitalwireError {
                XCTAssertEqual(error.body, body)
            }
        }
    }

    func testARecordCanBeAMockResponse() async throws {
        let night = SleepRecord(id: "s-1", startAt: Date(timeIntervalSince1970: 60), duration: .seconds(90))
        let responses = MockResponses()
        responses.add(try MockResponse(night), to: "get_sleep")
        let answered = try await client(responses).sleeps.get("s-1")
        XCTAssertEqual(answered, night)
    }

    func testEveryOperationHasASample() async throws {
        let client = try client(.samples)
        let night = try await client.sleeps.get("any")
        XCTAssertFalse(try XCTUnwrap(night.stages).isEmpty)
        let reports = try await client.labReports.list()
        XCTAssertFalse(reports.isEmpty)
    }

    func testAMissingMockResponseIsAnError() async throws {
        let unanswered = try client(MockResponses())
        let configuration = await errorKind { _ = try await unanswered.user.info() }
        XCTAssertEqual(configuration, .configuration)
        let unreachable = try client(user(MockResponse(status: 0)))
        let transport = await errorKind { _ = try await unreachable.user.info() }
        XCTAssertEqual(transport, .transport)
    }

    func testADescriptionOfAMockResponseHasNoValues() {
        let answer = MockResponse(json: "CANARY", headers: ["x-note": "CANARY"])
        var dumped = ""
        dump(answer, to: &dumped)
        XCTAssertFalse("\(answer) \(dumped)".contains("CANARY"))
    }

    func testABlockingAttemptClosureDelaysOnlyItsOwnCall() async throws {
        let (begun, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let held = try client(user(MockResponse(json: #"{"uid": "u-1"}"#)), onAttempt: { _ in
            begun.signal()
            _ = release.wait(timeout: .now() + 30)
        })
        let other = try client(user(MockResponse(json: "{}", delay: .seconds(60))))
        let blocked = Task { try await held.user.info().uid }
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                begun.wait()
                continuation.resume()
            }
        }
        let start = Date()
        let late = await errorKind { _ = try await other.user.info(options: CallOptions(timeout: .milliseconds(300))) }
        XCTAssertEqual(late, .timeout)
        XCTAssertLessThan(Date().timeIntervalSince(start), 10)
        release.signal()
        let uid = try await blocked.value
        XCTAssertEqual(uid, "u-1")
    }
}

/// A thread-safe list of the values that a closure receives.
private final class ClosureValues<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var values: [Value] = []

    func add(_ value: Value) { lock.withLock { values.append(value) } }

    var all: [Value] { lock.withLock { values } }
}
