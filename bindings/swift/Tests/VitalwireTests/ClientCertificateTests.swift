import Foundation
import Vitalwire
import XCTest

/// Calls a server that requires a client certificate.
final class ClientCertificateTests: XCTestCase {
    func testAServerThatRequiresAClientCertificateGetsIt() async throws {
        let certificate = try variable("VITALWIRE_TLS_CLIENT_CERTIFICATE")
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("client-certificate-\(UUID().uuidString).pem")
        try Data(certificate.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let text = try await client { $0.network.clientCertificate = .pem(certificate) }.user.info()
        XCTAssertEqual(text.applicationUserID, "person-1")
        let read = try await client { $0.network.clientCertificate = .file(file) }.user.info()
        XCTAssertEqual(read.applicationUserID, "person-1")
    }

    func testACallWithoutAClientCertificateIsATransportErrorThatIsNotTransient() async throws {
        let error = try await failure { _ in }
        XCTAssertEqual(error.kind, .transport)
        XCTAssertEqual(error.reason, "the server requires a client certificate that it accepts; set network.clientCertificate")
        XCTAssertEqual(error.attempts, 1)
        XCTAssertFalse(error.isTransient)
        XCTAssertFalse(error.mayHaveTakenEffect)
    }

    func testACertificateWithoutItsKeyIsRejectedAndNotShown() async throws {
        let certificate = try variable("VITALWIRE_TLS_CLIENT_CERTIFICATE")
        let key = try XCTUnwrap(certificate.range(of: "-----BEGIN PRIVATE KEY-----"))
        let error = try await failure { $0.network.clientCertificate = .pem(String(certificate[..<key.lowerBound])) }
        XCTAssertEqual(error.kind, .configuration)
        XCTAssertEqual(error.argument, "network.clientCertificate")
    }

    /// Returns the error of a call, after a check that it shows no line of the certificate and its key.
    private func failure(_ change: (inout ClientOptions) -> Void) async throws -> VitalwireError {
        do {
            _ = try await client(change).user.info()
        } catch let error as VitalwireError {
            var shown = ""
            dump(error, to: &shown)
            shown += "\(error) \(error.localizedDescription)"
            for line in try variable("VITALWIRE_TLS_CLIENT_CERTIFICATE").split(separator: "\n") {
                XCTAssertFalse(shown.contains(line))
            }
            return error
        }
        throw NoError()
    }

    private struct NoError: Error {}

    /// Returns a client of the server, which trusts only the server's authority.
    private func client(_ change: (inout ClientOptions) -> Void) throws -> VitalwireClient {
        var options = ClientOptions(
            baseURL: try XCTUnwrap(URL(string: variable("VITALWIRE_TLS_URL"))), token: "t",
            network: .init(proxy: .disabled, trust: .only(.pem(try variable("VITALWIRE_TLS_CA_CERTIFICATE")))))
        change(&options)
        return try VitalwireClient(options)
    }

    /// Returns an environment variable of `cargo xtask test`.
    private func variable(_ name: String) throws -> String {
        try XCTUnwrap(ProcessInfo.processInfo.environment[name], "\(name) is not set: cargo xtask test starts the server")
    }
}
