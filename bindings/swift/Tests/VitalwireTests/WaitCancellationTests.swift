import Foundation
import Vitalwire
import VitalwireTesting
import XCTest

/// Tests that a wait that is cancelled or closed keeps the id of its record.
final class WaitCancellationTests: XCTestCase {
    private typealias Wait = @Sendable (VitalwireClient) async throws -> Void

    private static let id = "5b1d3c52-0d5c-4a5e-9d0c-0a3a5a2f7c11"
    private static let quick = WaitOptions(interval: .init(.milliseconds(5), upTo: .milliseconds(5)))
    /// A PNG picture of one pixel.
    private static let picture = Data(
        base64Encoded: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")!

    /// Every form of a wait that follows an upload.
    private static let forms: [(String, Wait)] = [
        ("record", { _ = try await $0.nutritionRecords.uploadAndWait(body: picture, wait: quick).record() }),
        ("loop", { for try await _ in $0.nutritionRecords.uploadAndWait(.data(picture), wait: quick) {} }),
        ("response", { client in
            _ = try await client.withResponse { try await $0.nutritionRecords.uploadAndWait(.data(picture), wait: quick).record() }
        }),
        ("document", { _ = try await $0.labReports.uploadAndWait(.data(Data("%PDF-1.7".utf8), named: "a.pdf"), wait: quick).record() }),
        ("loop of a document", {
            for try await _ in $0.labReports.uploadAndWait(body: Data("%PDF-1.7".utf8), filename: "a.pdf", wait: quick) {}
        }),
    ]

    /// Creates mock responses for uploads whose analysis never ends.
    private func endless(uploadDelay: Duration = .zero) throws -> MockResponses {
        let report = LabReportResponse(labReport: LabReport(id: Self.id, status: .processing))
        return try MockResponses()
            .on(.nutritionRecordsUpload, MockResponse(NutritionUploadResponse(id: Self.id, status: .processing)).delayed(uploadDelay))
            .on(.nutritionRecordsGet, MockResponse(NutritionRecord(id: Self.id, status: .processing)))
            .on(.labReportsUpload, MockResponse(report).delayed(uploadDelay))
            .on(.labReportsGet, MockResponse(LabReport(id: Self.id, status: .processing)))
    }

    /// Starts a wait, ends it after a number of requests, and returns its error.
    private func failure(
        _ wait: @escaping Wait, _ responses: MockResponses, after requests: Int,
        end: (VitalwireClient, Task<Void, any Error>) -> Void
    ) async throws -> VitalwireError? {
        let client = VitalwireClient.mock(responses)
        let task = Task { try await wait(client) }
        while responses.requests.count < requests { try await Task.sleep(for: .milliseconds(2)) }
        end(client, task)
        do {
            try await task.value
            return nil
        } catch {
            return error as? VitalwireError
        }
    }

    func testACancelledWaitKeepsTheID() async throws {
        for (name, wait) in Self.forms {
            let error = try await failure(wait, endless(), after: 3) { $1.cancel() }
            XCTAssertEqual(error?.kind, .cancelled, name)
            XCTAssertEqual(error?.recordID, Self.id, name)
            XCTAssertEqual(error?.mayHaveTakenEffect, true, name)
            XCTAssertNotNil(error?.lastRecord, name)
        }
    }

    func testAWaitThatIsCancelledDuringItsUploadKeepsTheID() async throws {
        for (name, wait) in Self.forms {
            let error = try await failure(wait, endless(uploadDelay: .milliseconds(200)), after: 1) { $1.cancel() }
            XCTAssertEqual(error?.kind, .cancelled, name)
            XCTAssertEqual(error?.recordID, Self.id, name)
        }
    }

    func testAWaitOfAClosedClientKeepsTheID() async throws {
        for (name, wait) in Self.forms {
            let error = try await failure(wait, endless(), after: 3) { client, _ in client.close(abortingCalls: true) }
            XCTAssertEqual(error?.kind, .closed, name)
            XCTAssertEqual(error?.recordID, Self.id, name)
        }
    }
}
