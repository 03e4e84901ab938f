import Foundation
import Vitalwire
import VitalwireServer
import XCTest

/// Tests the module `VitalwireServer`. Signatures were computed by `printf BODY | openssl dgst -sha256 -hmac KEY`.
final class ServerTests: XCTestCase {
    private let key = "the-old-webhook-key"
    private let body = Data(#"[{"application_user_id":"user-7","event_type":"record_change","metrics":["steps",7]}]"#.utf8)
    private let signature = "21544df191c5c2ac97d68f0b563a30b594bf1d767b8b793d62b40ed247abb0f1"

    /// Checks that work fails with an error of this kind, which does not show the key.
    private func assertFails(_ kind: ErrorKind, line: UInt = #line, _ work: () throws -> some Any) {
        XCTAssertThrowsError(try work(), line: line) { error in
            XCTAssertEqual((error as? VitalwireError)?.kind, kind, line: line)
            XCTAssertFalse("\(error) \(String(reflecting: error))".contains("CANARY"), line: line)
        }
    }

    func testABodyIsVerifiedWithEveryKeyAndParsed() throws {
        let verifier = try WebhookVerifier(keys: ["the-new-webhook-key", key + "\n"])
        for header in [signature, " \(signature.uppercased()) "] {
            let events = try verifier.verifyAndParseEvents(body, signature: header)
            XCTAssertEqual(events.map(\.applicationUserID), ["user-7"])
            XCTAssertEqual(events.map(\.eventType), [.recordChange])
            XCTAssertEqual(events.map(\.metrics), [["steps"]])
        }
        XCTAssertEqual(try Webhooks.skippedItems(in: body, kind: .events).map(\.jsonPath), ["[0].metrics[1]"])
        XCTAssertEqual("\(verifier) \(String(reflecting: verifier))", "WebhookVerifier(..) WebhookVerifier(..)")
    }

    func testABodyWithoutAValidSignatureIsRejected() throws {
        let verifier = try WebhookVerifier(keys: [Data(key.utf8)])
        var changed = body
        changed[30] += 1
        assertFails(.signature) { try verifier.verifyAndParseEvents(changed, signature: signature) }
        for header in [nil, "", String(signature.dropFirst()), "é" + signature, "0" + signature.dropFirst()] {
            assertFails(.signature) { try verifier.verify(body, signature: header) }
        }
        assertFails(.signature) { try WebhookVerifier(keys: ["another-webhook-key"]).verifyAndParseLabReport(body, signature: signature) }
        assertFails(.decode) { try verifier.verifyAndParseNutrition(body, signature: signature) }
        XCTAssertEqual(ErrorKind.signature.rawValue, 1502)
    }

    func testTheDefaultBodyLimitIsThatOfTheCore() throws {
        let verifier = try WebhookVerifier(keys: [key])
        assertFails(.signature) { try verifier.verify(Data(count: Webhooks.defaultBodyLimit), signature: signature) }
        assertFails(.tooLarge) { try verifier.verify(Data(count: Webhooks.defaultBodyLimit + 1), signature: signature) }
        assertFails(.tooLarge) { try WebhookVerifier(keys: [key], bodyLimit: 80).verify(body, signature: signature) }
        assertFails(.tooLarge) { try WebhookVerifier(keys: [key], bodyLimit: -1).verify(body, signature: signature) }
    }

    func testAWeakOrDamagedKeyIsRejected() {
        for key in ["CANARY-fifteen.", "CANARY-fifteen.\n", " CANARY-with-a-space", "Bearer CANARY-a-webhook-key", "\"CANARY-in-quotes\""] {
            assertFails(.configuration) { try WebhookVerifier(keys: [key]) }
            assertFails(.configuration) { try signUserID("user-1", key: key) }
        }
        assertFails(.configuration) { try WebhookVerifier(keys: [String]()) }
        assertFails(.configuration) { try WebhookVerifier(keys: [Data(count: 16)]) }
        assertFails(.invalidArgument) { try signUserID("user-1", key: "") }
        assertFails(.invalidArgument) { try signUserID("", key: "an-application-key") }
    }

    func testSignaturesAreThoseOfOpenSSL() throws {
        let signed = try signUserID("user-1", key: "an-application-key\n")
        XCTAssertEqual(signed, "b6d21240a619a16353e8c662685627a2265f08c83c41770f287675104842d9b2")
        XCTAssertEqual(try Webhooks.sign(body, key: Data(key.utf8)), signature)
    }

    func testTheKindAndTheContentOfABodyAreRecognised() throws {
        XCTAssertEqual(try Webhooks.detectKind(of: body), .events)
        XCTAssertEqual(try Webhooks.detectKind(of: Data(#"{"record_id":"r","dish_name":"Soup"}"#.utf8)), .nutrition)
        XCTAssertEqual(try Webhooks.detectKind(of: Data(#"{"record_id":"r","sections":[]}"#.utf8)), .labReport)
        for unclear in [#"{"record_id":"r","status":"failed"}"#, "no JSON"] {
            XCTAssertNil(try Webhooks.detectKind(of: Data(unclear.utf8)))
        }
        // SHA-256 of `[{"a":72}]`.
        let content = try Webhooks.contentKey(of: Data(#"[ {"a": 72.0} ]"#.utf8))
        XCTAssertEqual(content, "10164a4eaf95f275c54265ff1a101eecf02287ba6765e82f0123393590680634")
    }
}
