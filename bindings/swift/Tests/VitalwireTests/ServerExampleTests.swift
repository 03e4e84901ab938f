import Foundation
import ServerExample
import Vitalwire
import VitalwireServer
import XCTest

/// Tests the parts of a server that the documentation site shows.
final class ServerExampleTests: XCTestCase {
    private let key = "the-old-webhook-key"

    private func sign(_ body: String) throws -> String { try Webhooks.sign(Data(body.utf8), key: Data(key.utf8)) }

    func testABodyIsProcessedOnce() async throws {
        let receiver = try WebhookReceiver(key: key)
        let event = #"[{"event_type":"record_change"}]"#
        func status(_ body: String, _ signature: String?) async -> Int { await receiver.receive(Data(body.utf8), signature: signature) }
        var statuses = [await status(event, nil), await status(event, try sign("[]"))]
        statuses += [await status(event, try sign(event)), await status(" " + event, try sign(" " + event))]
        XCTAssertEqual(statuses, [401, 401, 200, 200])
        for invalid in ["no JSON", #"{"record_id":"r"}"#] {
            let status = await status(invalid, try sign(invalid))
            XCTAssertEqual(status, 400, invalid)
        }
        let meal = #"{"record_id":"r","status":"completed","dish_name":"Soup"}"#
        for other in [meal, #"{"record_id":"r","status":"failed","sections":[]}"#] {
            let status = await status(other, try sign(other))
            XCTAssertEqual(status, 200, other)
        }
    }

    func testAUserGetsATokenOfTheirOwn() async throws {
        let environment = ProcessInfo.processInfo.environment
        let url = try XCTUnwrap(environment["VITALWIRE_BASE_URL"].flatMap(URL.init(string:)), "run this by `cargo xtask test`")
        let id = try XCTUnwrap(environment["APPLICATION_ID"].flatMap(Int.init))
        let key = try XCTUnwrap(environment["APPLICATION_KEY"])
        let reply = try await TokenServer(serviceURL: url, applicationID: id, key: key).token(forUser: "person-1")
        XCTAssertEqual(reply.expires_in, 3600)
        let user = try await VitalwireClient(ClientOptions(baseURL: url, token: reply.access_token)).user.info()
        XCTAssertNotNil(user.integratedProviders)
        do {
            _ = try await TokenServer(serviceURL: url, applicationID: id, key: "another-application-key").token(forUser: "person-1")
            XCTFail("another key signed")
        } catch let error as VitalwireError {
            XCTAssertEqual(error.kind, .authentication)
        }
    }
}
