import Foundation
import Vitalwire
import VitalwireSandbox
import VitalwireTesting
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@testable import AppleApp

/// Tests the uploads of the sample application `Nights`, which the documentation site shows.
final class ReportUploadsTests: XCTestCase {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("vitalwire-\(UUID().uuidString)")
    private let report = DocumentUpload.data(Data("%PDF-1.7\n".utf8), named: "a.pdf")

    override func setUpWithError() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    override func tearDownWithError() throws { try FileManager.default.removeItem(at: folder) }

    func testAnUploadEndsWithItsReportOrTheTimeToSearchFrom() async throws {
        try await Sandbox.run { sandbox in
            let client = try sandbox.client()
            let (outcomes, found) = AsyncStream.makeStream(of: (String, ReportUploads.Outcome).self)
            let uploads = ReportUploads(client: client, folder: folder, configuration: .default) { found.yield(($0, $1)) }
            // The service stores the report, and the connection breaks before the response.
            try await uploads.start(report, id: "one", options: CallOptions(headers: ["x-sandbox-fault": "reset_after"]))
            var next = outcomes.makeAsyncIterator()
            let lost = await next.next()
            XCTAssertEqual(lost?.0, "one")
            guard case .unknown(let since)? = lost?.1 else { return XCTFail("\(String(describing: lost?.1))") }
            let stored = try await client.labReports.list(from: since)
            XCTAssertEqual(stored.count, 1)

            try await uploads.start(report, id: "two")
            let second = await next.next()
            XCTAssertEqual(second?.0, "two")
            guard case .uploaded(let id)? = second?.1 else { return XCTFail("\(String(describing: second?.1))") }
            let reports = try await client.labReports.list(from: since)
            XCTAssertEqual(Set(reports.map(\.id)), [stored[0].id, id])
            XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: folder.path), [])
        }
    }

    func testAnUploadDoesNotStartTwice() async throws {
        let client = VitalwireClient.mock(.samples)
        let uploads = ReportUploads(client: client, folder: folder, configuration: .default) { _, _ in }
        try Data("kept".utf8).write(to: folder.appendingPathComponent("one"))
        do {
            try await uploads.start(report, id: "one")
            XCTFail("the upload has started")
        } catch let error as VitalwireError {
            XCTAssertEqual(error.argument, "file")
        }
    }

    func testTheBodyIsRemovedBeforeTheHandlerIsCalled() async throws {
        try await Sandbox.run { sandbox in
            let file = folder.appendingPathComponent("one")
            let (found, ended) = AsyncStream.makeStream(of: Bool.self)
            let uploads = ReportUploads(client: try sandbox.client(), folder: folder, configuration: .default) { _, _ in
                ended.yield(FileManager.default.fileExists(atPath: file.path))
            }
            try await uploads.start(report, id: "one")
            var next = found.makeAsyncIterator()
            let exists = await next.next()
            XCTAssertEqual(exists, false)
        }
    }

    func testARejectedTokenHasExpiredOrIsInvalid() async throws {
        let client = VitalwireClient.mock(.samples)
        let uploads = ReportUploads(client: client, folder: folder, configuration: .default) { _, _ in }
        let receipt = try await client.labReports.prepareUpload(report, to: folder.appendingPathComponent("one")).receipt
        let url = try XCTUnwrap(URL(string: "https://health.example.org"))
        let rejected = HTTPURLResponse(url: url, statusCode: 401, httpVersion: nil, headerFields: nil)
        let start = Date(timeIntervalSinceNow: -3600)
        func outcome(expiry: Date?) -> ReportUploads.Outcome {
            let upload = ReportUploads.Upload(id: "one", receipt: receipt, since: start, tokenExpiresAt: expiry)
            return uploads.outcome(of: upload, body: nil, response: rejected, error: nil)
        }
        guard case .tokenExpired(let since) = outcome(expiry: Date(timeIntervalSinceNow: -1)) else {
            return XCTFail("the token has expired")
        }
        XCTAssertEqual(since, start, "an earlier attempt may have stored the report")
        for expiry in [nil, Date(timeIntervalSinceNow: 60)] {
            guard case .failed = outcome(expiry: expiry) else { return XCTFail("the token has not expired") }
        }
    }
}
