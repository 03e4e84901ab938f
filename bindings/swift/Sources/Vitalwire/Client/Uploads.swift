import Foundation
internal import VitalwireFFI

/// A picture of food to upload: `.file(url)`, `.data(bytes)` or `.image(address: url)`.
public struct PictureUpload: Hashable, Sendable {
    let file: UploadFile

    /// A file, such as one that a photo picker or a file importer gave. It is read when the call is made; access to it outside of the
    /// sandbox is asked for and given back.
    public static func file(_ url: URL) -> PictureUpload { PictureUpload(file: .url(url, named: nil)) }

    /// Bytes of a file: JPEG, PNG and what else the service takes, not the pixels.
    public static func data(_ data: Data) -> PictureUpload { PictureUpload(file: .data(data, named: nil)) }

    /// The address of a picture, from which the service downloads it itself.
    public static func image(address: URL) -> PictureUpload { PictureUpload(file: .address(address)) }

    func read<Value>(_ work: (UploadFile) async throws -> Value) async throws -> Value { try await file.read(work) }
}

/// A document to upload: `.file(url)` or `.data(bytes, named: "results.pdf")`.
public struct DocumentUpload: Hashable, Sendable {
    let file: UploadFile

    /// A file, such as one that a file importer gave. It is read when the call is made; access to it outside of the sandbox is asked for
    /// and given back.
    ///
    /// - Parameter name: What the service is told it is called, where that is not the file's own name, which may be personal.
    public static func file(_ url: URL, named name: String? = nil) -> DocumentUpload { DocumentUpload(file: .url(url, named: name)) }

    /// Bytes of a file, and what the service is told it is called.
    public static func data(_ data: Data, named name: String) -> DocumentUpload { DocumentUpload(file: .data(data, named: name)) }

    func read<Value>(_ work: (UploadFile) async throws -> Value) async throws -> Value { try await file.read(work) }
}

/// What there is of a file. The core reads what is a file: its bytes are never in this process twice.
enum UploadFile: Hashable, Sendable {
    case url(URL, named: String?)
    case data(Data, named: String?)
    case address(URL)

    /// Does what needs the file, with access to it.
    func read<Value>(_ work: (UploadFile) async throws -> Value) async throws -> Value {
        guard case .url(let url, _) = self else { return try await work(self) }
        // The core says what to pass instead of a data URL.
        if url.scheme?.lowercased() == "data" { return try await work(self) }
        // A path of another machine could be one of this machine too.
        guard url.isFileURL else { throw VitalwireError(.invalidArgument, "the URL is not that of a file") }
        #if canImport(Darwin)
        let isScoped = url.startAccessingSecurityScopedResource()
        defer { if isScoped { url.stopAccessingSecurityScopedResource() } }
        #endif
        return try await work(self)
    }

    func native(removingMetadata: Bool = false) -> Upload {
        switch self {
        case .url(let url, let name):
            Upload(source: .path(path: url.isFileURL ? url.path : url.absoluteString), filename: name, withoutMetadata: removingMetadata)
        case .data(let data, let name): Upload(source: .bytes(bytes: data), filename: name, withoutMetadata: removingMetadata)
        case .address(let url): Upload(source: .address(url: url.absoluteString), filename: nil, withoutMetadata: removingMetadata)
        }
    }
}

extension PictureUpload: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Shows no path, no address and no content.
    public var description: String { "PictureUpload(..)" }

    /// Shows no path, no address and no content.
    public var debugDescription: String { description }

    /// Shows nothing to `dump` either.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension DocumentUpload: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Shows no path, no name and no content.
    public var description: String { "DocumentUpload(..)" }

    /// Shows no path, no name and no content.
    public var debugDescription: String { description }

    /// Shows nothing to `dump` either.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
