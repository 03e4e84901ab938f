import Foundation
import Vitalwire
import VitalwireTesting
import XCTest

/// Runs the examples in the documentation of the resources.
final class ResourceExampleTests: XCTestCase {
    func testEveryResourceHasAnExample() throws {
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let folder = package.appendingPathComponent("Sources/Vitalwire/Generated/Resources")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        XCTAssertEqual(files.map(\.lastPathComponent).sorted(), resourceExamples.keys.map { "\($0)Resource.swift" }.sorted())
        for file in files {
            let text = try String(contentsOf: file, encoding: .utf8)
            XCTAssertEqual(text.components(separatedBy: "```swift").count, 2, file.lastPathComponent)
        }
    }

    func testEveryExampleRuns() async throws {
        for (resource, example) in resourceExamples {
            let responses = MockResponses.samples
            try await example(.mock(responses))
            XCTAssertFalse(responses.requests.isEmpty, resource)
        }
    }
}
