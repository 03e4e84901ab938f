import Foundation
import XCTest

@testable import Vitalwire

/// Tests which settings of the core the groups of `ClientOptions` are.
final class ClientOptionsTests: XCTestCase {
    private let url = URL(string: "https://health.example.org/prefix")!

    func testEachServiceHasItsOwnSettings() {
        let care = ClientOptions.Service(baseURL: URL(string: "https://care.example.org")!, token: "token-2")
        let both = ClientOptions(baseURL: url, token: "token-1", care: care).native
        XCTAssertEqual([both.baseUrl, both.token], ["https://health.example.org/prefix", "token-1"])
        XCTAssertEqual([both.careBaseUrl, both.careToken], ["https://care.example.org", "token-2"])
        let alone = ClientOptions(care: care).native
        XCTAssertEqual([alone.baseUrl, alone.token, alone.careToken], [nil, nil, "token-2"])
    }

    func testTimeoutsAndRetriesArePassedToTheCore() {
        let native = ClientOptions(
            baseURL: url,
            timeouts: .init(
                connect: .seconds(1), attempt: .seconds(2), call: .seconds(3), uploadAttempt: .seconds(4), upload: .seconds(5), scale: 1.5),
            retry: .init(maxRetries: 6, baseDelay: .seconds(7), maxDelay: .seconds(8), retryAfterCap: .seconds(9), budget: 10)
        ).native
        XCTAssertEqual(native.connectTimeoutMs, 1_000)
        XCTAssertEqual(native.attemptTimeoutMs, 2_000)
        XCTAssertEqual(native.timeoutMs, 3_000)
        XCTAssertEqual(native.uploadAttemptTimeoutMs, 4_000)
        XCTAssertEqual(native.uploadTimeoutMs, 5_000)
        XCTAssertEqual(native.timeoutScale, 1.5)
        XCTAssertEqual(native.maxRetries, 6)
        XCTAssertEqual(native.retryBaseDelayMs, 7_000)
        XCTAssertEqual(native.retryMaxDelayMs, 8_000)
        XCTAssertEqual(native.retryAfterCapMs, 9_000)
        XCTAssertEqual(native.retryBudget, 10)
    }

    func testTheNetworkIsPassedToTheCore() {
        let native = ClientOptions(
            baseURL: url, network: .init(userAgent: "app/1", maxConnections: 2, acceptGzip: false, allowPlainHttp: true)
        ).native
        XCTAssertEqual(native.userAgent, "app/1")
        XCTAssertEqual(native.maxConnections, 2)
        XCTAssertEqual(native.acceptGzip, false)
        XCTAssertTrue(native.allowPlainHttp)
    }

    func testTrustIsPassedToTheCore() {
        func assert(
            _ trust: ClientOptions.Trust, pem: String? = nil, file: String? = nil, environment: Bool = false, only: Bool, line: UInt = #line
        ) {
            let native = ClientOptions(baseURL: url, network: .init(trust: trust)).native
            XCTAssertEqual([native.caCertificate, native.caFile], [pem, file], line: line)
            XCTAssertEqual([native.caEnvironment, native.onlyCustomCertificates], [environment, only], line: line)
        }
        let file = URL(fileURLWithPath: "/etc/authorities.pem")
        assert(.platform, only: false)
        assert(.also(.pem("text")), pem: "text", only: false)
        assert(.also(.environment), environment: true, only: false)
        assert(.only(.file(file)), file: "/etc/authorities.pem", only: true)
        assert(
            .only(.init(pem: "text", file: file, readsEnvironment: true)), pem: "text", file: "/etc/authorities.pem", environment: true,
            only: true)
        XCTAssertFalse(ClientOptions(baseURL: url).native.onlyCustomCertificates)
    }

    func testAClientCertificateIsATextOrAFile() {
        let text = ClientOptions(baseURL: url, network: .init(clientCertificate: .pem("text"))).native
        XCTAssertEqual([text.clientCertificate, text.clientCertificateFile], ["text", nil])
        let file = ClientOptions(baseURL: url, network: .init(clientCertificate: .file(URL(fileURLWithPath: "/etc/own.pem")))).native
        XCTAssertEqual([file.clientCertificate, file.clientCertificateFile], [nil, "/etc/own.pem"])
    }
}
