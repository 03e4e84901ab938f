import Foundation
import Vitalwire
import XCTest

/// Tests uploads of files, with mock responses.
final class UploadTests: XCTestCase {
    private var folder: URL!

    override func setUpWithError() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("vitalwire-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    override func tearDownWithError() throws { try FileManager.default.removeItem(at: folder) }

    /// A PNG picture of one pixel.
    private let picture = Data(
        base64Encoded:
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")!

    private func file(_ name: String, _ data: Data) throws -> URL {
        let url = folder.appendingPathComponent(name)
        try data.write(to: url)
        return url
    }

    private func body(_ responses: MockResponses) throws -> [String: JSONValue] {
        try JSONDecoder().decode([String: JSONValue].self, from: XCTUnwrap(responses.requests.last).body)
    }

    private func text(_ text: String) -> JSONValue? { try? JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(text)) }

    func testAPictureIsSentFromAFileFromDataAndByURL() async throws {
        let responses = MockResponses.samples
        let client = try VitalwireClient(ClientOptions(), mockResponses: responses)
        let url = try file("lunch.png", picture)
        _ = try await client.nutritionRecords.upload(.file(url), waitOnProcess: false)
        XCTAssertEqual(try body(responses)["body"], text(picture.base64EncodedString()))
        XCTAssertNotNil(try body(responses)["wait_on_process"])
        _ = try await client.nutritionRecords.upload(.data(picture))
        XCTAssertEqual(try body(responses)["body"], text(picture.base64EncodedString()))
        _ = try await client.nutritionRecords.upload(.image(address: URL(string: "https://pictures.example/lunch.png")!))
        XCTAssertEqual(try body(responses)["body_url"], text("https://pictures.example/lunch.png"))
        XCTAssertNil(try body(responses)["body"])
    }

    func testMetadataIsRemoved() async throws {
        let responses = MockResponses.samples
        let client = try VitalwireClient(ClientOptions(), mockResponses: responses)
        // Bytes after the end of the picture count as metadata.
        let url = try file("lunch.png", picture + Data("Rosa Quintero".utf8))
        _ = try await client.nutritionRecords.upload(.file(url), removingMetadata: true)
        XCTAssertEqual(try body(responses)["body"], text(picture.base64EncodedString()))
        _ = try await client.nutritionRecords.upload(.file(url))
        XCTAssertNotEqual(try body(responses)["body"], text(picture.base64EncodedString()))
        let refused = await expectFailure {
            _ = try await client.nutritionRecords.upload(.image(address: URL(string: "https://p.example/a")!), removingMetadata: true)
        }
        XCTAssertEqual(refused?.kind, .invalidArgument)
    }

    func testADocumentIsNamedAfterItsFileOrByTheCaller() async throws {
        let responses = MockResponses.samples
        let client = try VitalwireClient(ClientOptions(), mockResponses: responses)
        let url = try file("results of March.pdf", Data("%PDF-1.7".utf8))
        _ = try await client.labReports.upload(.file(url))
        XCTAssertEqual(try body(responses)["filename"], text("results of March.pdf"))
        XCTAssertEqual(try body(responses)["body"], text(Data("%PDF-1.7".utf8).base64EncodedString()))
        _ = try await client.labReports.upload(.file(url, named: "a.pdf"))
        XCTAssertEqual(try body(responses)["filename"], text("a.pdf"))
        _ = try await client.labReports.upload(.data(Data("%PDF-1.7".utf8), named: "b.pdf"))
        XCTAssertEqual(try body(responses)["filename"], text("b.pdf"))
    }

    func testAWaitForAnUploadReportsItsProgressAndReturnsTheRecord() async throws {
        let url = try file("lunch.png", picture)
        let responses = MockResponses()
        let id = "5b1d3c52-0d5c-4a5e-9d0c-0a3a5a2f7c11"
        responses.add(try MockResponse(NutritionUploadResponse(id: id, status: .processing)), to: "upload_nutrition_record")
        responses.add(try MockResponse(NutritionRecord(id: id, status: .processing)), to: "get_nutrition_record")
        responses.add(try MockResponse(NutritionRecord(id: id, status: .completed)), to: "get_nutrition_record")
        let client = try VitalwireClient(ClientOptions(), mockResponses: responses)
        let quick = WaitOptions(interval: .init(.milliseconds(5), upTo: .milliseconds(5)))
        var (ids, ended): (Set<String?>, NutritionRecord?) = ([], nil)
        for try await state in client.nutritionRecords.uploadAndWait(.file(url), removingMetadata: true, wait: quick) {
            switch state {
            case .progress(let progress): ids.insert(progress.recordID)
            case .ended(let record): ended = record
            }
        }
        XCTAssertEqual(ids, [id])
        XCTAssertEqual(ended?.status, .completed)

        // The wait is cancelled during the analysis, so the error contains the id.
        responses.clear("get_nutrition_record")
        var slow = try MockResponse(NutritionRecord(id: id, status: .processing))
        slow.delay = .milliseconds(50)
        responses.add(slow, to: "get_nutrition_record")
        let task = Task { try await client.nutritionRecords.uploadAndWait(.file(url), wait: quick).record() }
        while responses.requests.filter({ $0.operation == "get_nutrition_record" }).count < 3 {
            try await Task.sleep(for: .milliseconds(5))
        }
        task.cancel()
        let cancelled = await expectFailure { _ = try await task.value }
        XCTAssertEqual(cancelled?.kind, .cancelled)
        XCTAssertEqual(cancelled?.recordID, id)
    }

    func testInvalidFilesAreRejectedBeforeAnyRequest() async throws {
        let responses = MockResponses.samples
        let client = try VitalwireClient(ClientOptions(), mockResponses: responses)
        let huge = folder.appendingPathComponent("huge.png")
        XCTAssertTrue(FileManager.default.createFile(atPath: huge.path, contents: nil))
        let handle = try FileHandle(forWritingTo: huge)
        try handle.truncate(atOffset: 200 << 20)
        try handle.close()
        let bad: [(URL, String)] = [
            (folder.appendingPathComponent("missing.png"), "there is no such file"),
            (folder, "is a directory"),
            (try file("empty.png", Data()), "the file is empty"),
            (huge, "is larger than the limit for files; pass it as bytes"),
            // Fails even for root, because a file contains no other files.
            (try file("lunch.png", picture).appendingPathComponent("below.png"), "cannot be read"),
        ]
        for (url, reason) in bad {
            let picture = await expectFailure { _ = try await client.nutritionRecords.upload(.file(url)) }
            XCTAssertEqual(picture?.kind, .invalidArgument)
            XCTAssertEqual(picture?.reason, reason)
            let document = await expectFailure { _ = try await client.labReports.uploadAndWait(.file(url)).record() }
            XCTAssertEqual(document?.reason, reason)
            XCTAssertFalse("\(String(describing: picture))".contains(folder.lastPathComponent))
        }
        let elsewhere =
            await expectFailure { _ = try await client.labReports.upload(.file(URL(string: "https://files.example/etc/hosts")!)) }
        XCTAssertEqual(elsewhere?.kind, .invalidArgument)
        XCTAssertEqual(responses.requests, [])
    }

    func testEncodedTextIsRejectedAsAPathAndAsAFileAndNotShown() async throws {
        let responses = MockResponses.samples
        let client = try VitalwireClient(ClientOptions(), mockResponses: responses)
        let photo = (Data([0xFF, 0xD8, 0xFF, 0xE0]) + Data(String(repeating: "CANARY-PHOTO", count: 20_000).utf8)).base64EncodedString()
        let report = Data(("%PDF-1.7\n" + String(repeating: "CANARY-PHOTO", count: 40)).utf8).base64EncodedString()
        let url = "data:image/jpeg;base64," + photo
        let mistakes = [
            (photo, "is base64 text; decode it and pass the bytes"), (report, "is base64 text; decode it and pass the bytes"),
            (url, "is a data URL; decode the base64 text after its comma and pass the bytes"),
        ]
        for (text, reason) in mistakes {
            let pictures: [PictureUpload] = [.data(Data(text.utf8)), .file(URL(fileURLWithPath: text))]
            let documents: [DocumentUpload] = [.data(Data(text.utf8), named: "a.pdf"), .file(URL(fileURLWithPath: text))]
            var errors: [VitalwireError?] = []
            for picture in pictures { errors.append(await expectFailure { _ = try await client.nutritionRecords.upload(picture) }) }
            for document in documents {
                errors.append(await expectFailure { _ = try await client.labReports.upload(document) })
                errors.append(await expectFailure { _ = try await client.labReports.uploadAndWait(document).record() })
            }
            errors.append(await expectFailure {
                _ = try await client.nutritionRecords.upload(.data(Data(text.utf8)), removingMetadata: true)
            })
            for error in errors {
                XCTAssertEqual(error?.kind, .invalidArgument)
                XCTAssertEqual(error?.reason, reason)
                var shown = "\(String(describing: error)) \(String(reflecting: error)) \(error?.localizedDescription ?? "")"
                dump(error, to: &shown)
                XCTAssertFalse(shown.contains("Q0FOQVJZ"))
            }
        }
        for upload: PictureUpload in [.file(try XCTUnwrap(URL(string: url))), .image(address: try XCTUnwrap(URL(string: url)))] {
            let error = await expectFailure { _ = try await client.nutritionRecords.upload(upload) }
            XCTAssertEqual(error?.reason, mistakes[2].1)
            XCTAssertFalse("\(String(reflecting: error))".contains("Q0FOQVJZ"))
        }
        let empty = await expectFailure { _ = try await client.labReports.upload(.data(Data(), named: "a.pdf")) }
        XCTAssertEqual(empty?.reason, "the file is empty")
        XCTAssertEqual(responses.requests, [])
    }

    func testMetadataOfAnInvalidPictureCannotBeRemoved() async throws {
        let responses = MockResponses.samples
        let client = try VitalwireClient(ClientOptions(), mockResponses: responses)
        for data in [Data(), Data("GIF89a".utf8), picture.prefix(40)] {
            let refused = await expectFailure { _ = try await client.nutritionRecords.upload(.data(data), removingMetadata: true) }
            XCTAssertEqual(refused?.kind, .invalidArgument)
        }
        XCTAssertEqual(responses.requests, [])
    }

    func testAFileWithoutReadPermissionIsRejected() async throws {
        let url = try file("locked.png", picture)
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: url.path)
        try XCTSkipIf(FileManager.default.isReadableFile(atPath: url.path), "the superuser may read every file")
        let client = try VitalwireClient(ClientOptions(), mockResponses: .samples)
        let refused = await expectFailure { _ = try await client.nutritionRecords.upload(.file(url)) }
        XCTAssertEqual(refused?.reason, "cannot be read: permission denied")
    }

    #if os(Linux)
        func testAFileWithAReadErrorIsRejectedForEveryReader() async throws {
            let responses = MockResponses.samples
            let client = try VitalwireClient(ClientOptions(), mockResponses: responses)
            // Reading fails even for root: the first file has nothing mapped at address 0, and the second is write-only.
            for (path, reason) in [
                ("/proc/self/mem", "cannot be read"), ("/proc/sys/vm/compact_memory", "cannot be read: permission denied"),
            ] {
                try XCTSkipUnless(FileManager.default.fileExists(atPath: path), "the kernel has no \(path)")
                let url = URL(fileURLWithPath: path)
                let picture = await expectFailure { _ = try await client.nutritionRecords.upload(.file(url)) }
                let document = await expectFailure { _ = try await client.labReports.uploadAndWait(.file(url)).record() }
                for error in [picture, document] {
                    XCTAssertEqual(error?.kind, .invalidArgument, path)
                    XCTAssertEqual(error?.reason, reason, path)
                    XCTAssertFalse("\(String(describing: error))".contains("proc"), path)
                }
            }
            XCTAssertEqual(responses.requests, [])
        }
    #endif

    func testDescriptionsOfUploadsHaveNoValues() throws {
        let values: [Any] = [
            PictureUpload.file(URL(fileURLWithPath: "/CANARY.png")), PictureUpload.data(Data("CANARY".utf8)),
            DocumentUpload.data(Data(), named: "CANARY"),
        ]
        for value in values {
            var texts = "\(value) \(String(reflecting: value))"
            dump(value, to: &texts)
            XCTAssertFalse(texts.contains("CANARY"))
        }
    }

    private func expectFailure(_ work: () async throws -> Void) async -> VitalwireError? {
        do {
            try await work()
            return nil
        } catch {
            return error as? VitalwireError
        }
    }
}
