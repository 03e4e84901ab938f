import Foundation
@testable import Vitalwire
import VitalwireFFI
import VitalwireTesting
import XCTest

/// Tests the log texts of errors.
final class ErrorTextTests: XCTestCase {
    private func error(
        _ kind: Vitalwire.ErrorKind, _ text: String, reason: String? = nil, argument: String? = nil
    ) -> VitalwireError {
        VitalwireError(
            ErrorInfo(
                text: text, kind: .service, code: UInt16(kind.rawValue), reason: reason, attempts: 1, mayHaveTakenEffect: false,
                isTransient: false, argument: argument))
    }

    func testASettingIsNamedAsInSwift() {
        let options = Vitalwire.ClientOptions(baseURL: URL(string: "health.example.org")!, token: "t")
        XCTAssertThrowsError(try VitalwireClient(options)) { error in
            XCTAssertEqual("\(error)", "configuration: must begin with https:// or http://, argument baseURL")
            XCTAssertEqual((error as? VitalwireError)?.argument, "baseURL")
        }
        let url = URL(string: "https://health.example.org")!
        let alone = Vitalwire.ClientOptions(baseURL: url, token: "t", network: .init(trust: .only(.init())))
        XCTAssertThrowsError(try VitalwireClient(alone)) { error in
            XCTAssertEqual("\(error)", "configuration: requires a custom certificate; pass one to `.only`, argument network.trust")
        }
        let care = Vitalwire.ClientOptions(care: .init(baseURL: URL(string: "care.example.org")!, token: "t"))
        XCTAssertThrowsError(try VitalwireClient(care)) { error in
            XCTAssertEqual("\(error)", "configuration: must begin with https:// or http://, argument care.baseURL")
        }
        let never = Vitalwire.ClientOptions(baseURL: url, token: "t", timeouts: .init(scale: 0))
        XCTAssertThrowsError(try VitalwireClient(never)) { error in
            XCTAssertEqual("\(error)", "configuration: must be a finite number above 0, argument timeouts.scale")
        }
    }

    func testAMissingBaseURLHasARemedyThatSwiftHas() async throws {
        let client = try VitalwireClient(.init())
        let calls: [(String, () async throws -> Void)] = [
            ("health service; set baseURL, argument baseURL", { _ = try await client.user.info() }),
            ("care service; set care.baseURL, argument care.baseURL", {
                _ = try await client.care.benefits(clinicID: "c", patientID: "p", policyID: "o")
            }),
        ]
        for (text, call) in calls {
            do {
                try await call()
                XCTFail(text)
            } catch let error as VitalwireError {
                XCTAssertTrue(error.description.hasPrefix("configuration: no base URL is set for the \(text)"), error.description)
                XCTAssertEqual(error.reason.map { "\($0), argument \(error.argument ?? "")" }, "no base URL is set for the \(text)")
            }
        }
    }

    func testAnArgumentIsNamedAsInSwift() async throws {
        do {
            _ = try await VitalwireClient.mock(.samples).sleeps.get("")
            XCTFail("the id is empty")
        } catch let error as VitalwireError {
            XCTAssertEqual(error.description, "invalidArgument: must not be empty, argument id, GET /v3/queries/sleeps/{sleep_id}")
            XCTAssertEqual(error.argument, "id")
        }
    }

    func testTheKindIsNamedAsInSwift() async throws {
        do {
            _ = try await VitalwireClient.mock(.failing(.notFound)).sleeps.get("s-1")
            XCTFail("there is no record")
        } catch let error as VitalwireError {
            XCTAssertTrue(error.description.hasPrefix("notFound: status 404, GET /v3/queries/sleeps/{sleep_id}"), error.description)
        }
        XCTAssertEqual(error(.invalidArgument, "invalid_argument").description, "invalidArgument")
    }

    func testNamesInReasonsAreSpelledAsInSwift() {
        let reasons = [
            "the server requires a client certificate that it accepts; set client_certificate":
                "the server requires a client certificate that it accepts; set network.clientCertificate",
            "the server's certificate is not trusted: its key is not one of pinned_keys":
                "the server's certificate is not trusted: its key is not one of network.pinnedKeys",
            "no file descriptors are left: raise the limit of open files, or lower max_connections":
                "no file descriptors are left: raise the limit of open files, or lower network.maxConnections",
            "https is required; plain http is allowed for loopback addresses or with allow_plain_http":
                "https is required; plain http is allowed for loopback addresses or with network.allowPlainHttp",
            "requires that the account is checked; enable check_account": "requires that the account is checked; enable checkAccount",
            "user_id must be UTF-8": "userID must be UTF-8",
            // A variable of the environment, which Swift clients also read.
            "set HTTPS_PROXY; xn--bcher-kva.example": "set HTTPS_PROXY; xn--bcher-kva.example",
        ]
        for (core, swift) in reasons {
            let failed = error(.transport, "transport: \(core), status 502", reason: core)
            XCTAssertEqual(failed.reason, swift)
            XCTAssertEqual(failed.description, "transport: \(swift), status 502")
        }
        let names = [
            "care_base_url": "care.baseURL", "timeout": "timeouts.call", "proxy": "network.proxy",
            "look_back": "lookBack", "types": "types", "event": "events", "resume_token": "resume",
            "from_timestamp": "from", "lab_report_id": "id", "clinic_id": "clinicID",
            "mock_responses.get_user_info": "mockResponses.get_user_info", "HTTPS_PROXY": "HTTPS_PROXY",
        ]
        for (core, swift) in names {
            let failed = error(.configuration, "configuration: argument \(core), GET /v3/\(core)", argument: core)
            XCTAssertEqual(failed.argument, swift)
            XCTAssertEqual(failed.description, "configuration: argument \(swift), GET /v3/\(core)")
        }
        // An option of a call, not a setting of the client.
        XCTAssertEqual(error(.invalidArgument, "invalid_argument: argument timeout", argument: "timeout").argument, "timeout")
    }
}
