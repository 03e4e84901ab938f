import Foundation

/// Captures standard error for the judge. The library writes internal errors to standard error.
struct Log {
    private let file: FileHandle
    private let shown: Int32

    /// Redirects standard error to an unlinked file.
    static func keep() throws -> Log {
        let path = NSTemporaryDirectory() + "vitalwire-\(UUID().uuidString)"
        guard FileManager.default.createFile(atPath: path, contents: nil), let file = FileHandle(forUpdatingAtPath: path) else {
            throw CocoaError(.fileWriteUnknown)
        }
        try FileManager.default.removeItem(atPath: path)
        let shown = dup(2)
        dup2(file.fileDescriptor, 2)
        return Log(file: file, shown: shown)
    }

    /// Restores standard error and returns the captured lines.
    func end() throws -> [String] {
        dup2(shown, 2)
        try file.seek(toOffset: 0)
        let text = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
        return text.split(separator: "\n").map(String.init)
    }
}
