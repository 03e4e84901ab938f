import Vitalwire
import VitalwireTesting
import XCTest

/// Tests the installed package without a service, so that the tests also run in a simulator.
final class InstalledTests: XCTestCase {
    func testACallReturnsAMockResponse() async throws {
        let responses = MockResponses()
        responses.add(MockResponse(json: #"{"uid": "u-1"}"#), to: "get_user_info")
        let client = try VitalwireClient(ClientOptions(), mockResponses: responses)
        let uid = try await client.user.info().uid
        XCTAssertEqual(uid, "u-1")
    }

    func testSamplesAndFailuresAreAvailable() async throws {
        let night = try await VitalwireClient.mock(.samples).sleeps.get("any")
        XCTAssertEqual(night, .sample)
        do {
            _ = try await VitalwireClient.mock(.failing(.rateLimited)).sleeps.get("any")
            XCTFail("it fails")
        } catch let error as VitalwireError {
            XCTAssertEqual(error.kind, .rateLimited)
        }
    }

    func testAResourceIsReplacedByAFake() async throws {
        struct FakeSleeps: SleepsProtocol {
            func get(_ call: GetCall) async throws -> SleepRecord { SleepRecord(id: call.id, score: 80) }
        }
        let sleeps: any SleepsProtocol = FakeSleeps()
        let night = try await sleeps.get("s-1", include: [.stages])
        XCTAssertEqual(night.id, "s-1")
        XCTAssertEqual(night.score, 80)
        do {
            for try await _ in sleeps.between(.init(year: 2025, month: 9, day: 1)!...CalendarDate(year: 2025, month: 9, day: 2)!) {}
            XCTFail("the fake has no nights")
        } catch let error as VitalwireError {
            XCTAssertEqual(error.kind, .configuration)
        }
    }

    /// Makes a call over TLS with the system's certificates to a server that does not exist.
    func testANetworkErrorIsThrown() async throws {
        let options = ClientOptions(baseURL: URL(string: "https://127.0.0.1:9")!, token: "t", retry: .init(maxRetries: 0))
        do {
            _ = try await VitalwireClient(options).user.info()
            XCTFail("nothing responds there")
        } catch let error as VitalwireError {
            XCTAssertEqual(error.kind, .transport)
        }
    }
}
