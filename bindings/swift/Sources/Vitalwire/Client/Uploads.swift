import Foundation
internal import VitalwireFFI

/// The source of a picture to upload: `.file(url)`, `.data(bytes)` or `.image(address: url)`.
public struct PictureUpload: Hashable, Sendable {
    let file: UploadFile

    /// Creates an upload from a file, for example from a photo picker or a file importer.
    ///
    /// The file is read during the call. The call holds the access to a security-scoped URL.
    public static func file(_ url: URL) -> PictureUpload { PictureUpload(file: .url(url, named: nil)) }

    /// Creates an upload from the bytes of an encoded file, such as a JPEG or a PNG.
    public static func data(_ data: Data) -> PictureUpload { PictureUpload(file: .data(data, named: nil)) }

    /// Creates an upload from the web address of a picture. The service downloads the picture itself.
    public static func image(address: URL) -> PictureUpload { PictureUpload(file: .address(address)) }

    func read<Value>(_ work: (UploadFile) async throws -> Value) async throws -> Value { try await file.read(work) }
}

/// The source of a document to upload: `.file(url)` or `.data(bytes, named: "results.pdf")`.
public struct DocumentUpload: Hashable, Sendable {
    let file: UploadFile

    /// Creates an upload from a file, for example from a file importer.
    ///
    /// The file is read during the call. The call holds the access to a security-scoped URL.
    ///
    /// - Parameters:
    ///   - url: The URL of the file.
    ///   - name: The filename to send to the service. Defaults to the name of the file, which may be personal.
    public static func file(_ url: URL, named name: String? = nil) -> DocumentUpload { DocumentUpload(file: .url(url, named: name)) }

    /// Creates an upload from the bytes of a file, with the filename to send to the service.
    public static func data(_ data: Data, named name: String) -> DocumentUpload { DocumentUpload(file: .data(data, named: name)) }

    func read<Value>(_ work: (UploadFile) async throws -> Value) async throws -> Value { try await file.read(work) }
}

/// The source of an upload. The core reads files itself, so that their bytes are in memory only once.
enum UploadFile: Hashable, Sendable {
    case url(URL, named: String?)
    case data(Data, named: String?)
    case address(URL)

    /// Runs a closure. Holds the access to the file's security-scoped URL until the closure returns.
    func read<Value>(_ work: (UploadFile) async throws -> Value) async throws -> Value {
        guard case .url(let url, _) = self else { return try await work(self) }
        // The core rejects a data URL with a hint on what to pass instead.
        if url.scheme?.lowercased() == "data" { return try await work(self) }
        // Without this check, a remote URL could read a local file with the same path.
        guard url.isFileURL else { throw VitalwireError(.invalidArgument, "the upload must be a file URL") }
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
    /// The type name only. Omits the path, the web address and the content of the picture.
    public var description: String { "PictureUpload(..)" }

    /// Same as `description`.
    public var debugDescription: String { description }

    /// An empty mirror, so that `dump` shows no values.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension DocumentUpload: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The type name only. Omits the path, the file name and the content of the document.
    public var description: String { "DocumentUpload(..)" }

    /// Same as `description`.
    public var debugDescription: String { description }

    /// An empty mirror, so that `dump` shows no values.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
