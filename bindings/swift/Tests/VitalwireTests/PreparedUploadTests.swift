import Foundation
import Vitalwire
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Tests uploads that a `URLSession` sends. Those that are sent go to the sandbox of `SmokeTests`.
final class PreparedUploadTests: XCTestCase {
    private var folder: URL!
    private let document = DocumentUpload.data(Data("%PDF-1.7\n".utf8), named: "a.pdf")

    /// A PNG picture of one pixel.
    private let picture = Data(
        base64Encoded:
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")!

    override func setUpWithError() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("vitalwire-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    override func tearDownWithError() throws { try FileManager.default.removeItem(at: folder) }

    private func sandbox() throws -> VitalwireClient {
        let environment = ProcessInfo.processInfo.environment
        let url = try XCTUnwrap(environment["VITALWIRE_BASE_URL"].flatMap(URL.init(string:)), "run this by `cargo xtask test`")
        return try VitalwireClient(ClientOptions(baseURL: url, token: environment["VITALWIRE_TOKEN"]))
    }

    private func mocked() throws -> VitalwireClient { try VitalwireClient(ClientOptions(), mockResponses: MockResponses()) }

    private func expectFailure(_ work: () async throws -> Void) async throws -> VitalwireError {
        do {
            try await work()
        } catch let error as VitalwireError {
            return error
        }
        throw VitalwireErrorMissing()
    }

    private struct VitalwireErrorMissing: Error {}

    private func send(_ upload: PreparedUpload) async -> (body: Data?, response: URLResponse?, error: (any Error)?) {
        await withCheckedContinuation { continuation in
            URLSession.shared.uploadTask(with: upload.urlRequest, fromFile: upload.file) { body, response, error in
                continuation.resume(returning: (body, response, error))
            }.resume()
        }
    }

    private func response(_ status: Int, _ headers: [String: String] = [:]) -> URLResponse? {
        HTTPURLResponse(url: URL(string: "https://health.example.org")!, statusCode: status, httpVersion: nil, headerFields: headers)
    }

    func testAPreparedDocumentIsSentByASessionAndReadByAnotherClient() async throws {
        let file = folder.appendingPathComponent("body")
        let upload = try await sandbox().labReports.prepareUpload(document, to: file, waitOnProcess: false)
        XCTAssertEqual(
            try String(contentsOf: file, encoding: .utf8), #"{"body":"JVBERi0xLjcK","filename":"a.pdf","wait_on_process":false}"#)
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        XCTAssertEqual(mode, 0o600)
        XCTAssertEqual(upload.urlRequest.httpMethod, "POST")
        XCTAssertEqual(upload.urlRequest.value(forHTTPHeaderField: "Content-Type"), "application/json")
        let sent = await send(upload)
        let later = try sandbox()
        let read = try await later.withResponse {
            try $0.labReports.readUploadResponse(upload.receipt, body: sent.body, response: sent.response, error: sent.error)
        }
        XCTAssertEqual(read.status, 200)
        let report = read.value.labReport
        let reports = try await later.labReports.list(from: report.uploadedAt)
        XCTAssertTrue(reports.contains { $0.id == report.id })
    }

    func testAPreparedPictureIsSentAndRead() async throws {
        let client = try sandbox()
        let file = folder.appendingPathComponent("body")
        let upload = try await client.nutritionRecords.prepareUpload(
            .data(picture), to: file, removingMetadata: true, include: [.ingredients])
        let sent = await send(upload)
        let meal = try client.nutritionRecords.readUploadResponse(upload.receipt, body: sent.body, response: sent.response)
        let found = try await client.nutritionRecords.get(meal.id)
        XCTAssertEqual(found.id, meal.id)
    }

    func testResponsesAreClassifiedAndALostOneMayHaveTakenEffect() async throws {
        let client = try mocked()
        let receipt = try await client.labReports.prepareUpload(document, to: folder.appendingPathComponent("body")).receipt
        let html = Data("<html>Rosa Quintero</html>".utf8)
        let lost = URLError(.networkConnectionLost)
        let cases: [(Data?, URLResponse?, (any Error)?, ErrorKind, Bool)] = [
            // The sandbox sends `WWW-Authenticate: Bearer`, at which the Foundation of Swift 6.0 for Linux crashes: not sent here.
            (nil, response(401), nil, .authentication, false),
            (nil, response(429, ["Retry-After": "7"]), nil, .rateLimited, false),
            (html, response(413), nil, .tooLarge, false),
            (nil, response(302, ["Location": "https://example.org"]), nil, .unexpectedStatus, true),
            (html, response(200), nil, .decode, true),
            (nil, response(200), nil, .decode, true),
            // The connection broke within the body.
            (html, response(200), lost, .transport, true),
            (nil, nil, lost, .transport, true),
            (nil, nil, nil, .transport, true),
        ]
        for (body, response, failure, kind, effect) in cases {
            let error = try await expectFailure {
                _ = try client.labReports.readUploadResponse(receipt, body: body, response: response, error: failure)
            }
            XCTAssertEqual(error.kind, kind)
            XCTAssertEqual(error.mayHaveTakenEffect, effect, "\(kind)")
            XCTAssertEqual(error.retryAfter, kind == .rateLimited ? .seconds(7) : nil)
            XCTAssertFalse("\(error)".contains("Rosa"))
        }
        let other = try await expectFailure {
            _ = try client.nutritionRecords.readUploadResponse(receipt, body: html, response: response(200))
        }
        XCTAssertEqual(other.argument, "receipt")
    }

    func testAFileThatExistsOrWhoseCallWouldFailIsNotWritten() async throws {
        let client = try mocked()
        let file = folder.appendingPathComponent("body")
        try Data("kept".utf8).write(to: file)
        for url in [file, folder!, folder.appendingPathComponent("missing/body")] {
            let error = try await expectFailure { _ = try await client.labReports.prepareUpload(document, to: url) }
            XCTAssertEqual(error.kind, .invalidArgument)
            XCTAssertEqual(error.argument, "file")
            XCTAssertFalse("\(error)".contains(folder.path))
        }
        let remote = try await expectFailure {
            _ = try await client.labReports.prepareUpload(document, to: URL(string: "https://example.org/body")!)
        }
        XCTAssertEqual(remote.kind, .invalidArgument)
        let gif = try await expectFailure {
            _ = try await client.nutritionRecords.prepareUpload(.data(Data("GIF89a".utf8)), to: folder.appendingPathComponent("gif"))
        }
        XCTAssertEqual(gif.argument, "body")
        XCTAssertEqual(try String(contentsOf: file, encoding: .utf8), "kept")
        XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: folder.path), ["body"])
    }

    func testNoTextContainsTheTokenAndItsExpiryIsStated() async throws {
        let secret = "token-\(UUID().uuidString)"
        let client = try VitalwireClient(
            ClientOptions(baseURL: URL(string: "https://health.example.org")!),
            tokenProvider: { _ in AccessToken(secret, lifetime: .seconds(3600)) })
        let upload = try await client.labReports.prepareUpload(document, to: folder.appendingPathComponent("body"))
        XCTAssertEqual(upload.url.absoluteString, "https://health.example.org/v3/lab_reports")
        XCTAssertEqual(upload.urlRequest.value(forHTTPHeaderField: "Authorization"), "Bearer \(secret)")
        XCTAssertGreaterThan(try XCTUnwrap(upload.tokenExpiresAt).timeIntervalSinceNow, 3500)
        var dumped = ""
        dump(upload, to: &dumped)
        XCTAssertFalse("\(upload) \(String(reflecting: upload)) \(dumped) \(upload.receipt)".contains(secret))
        let unknown = try await mocked().labReports.prepareUpload(document, to: folder.appendingPathComponent("other"))
        XCTAssertNil(unknown.tokenExpiresAt)
    }
}
