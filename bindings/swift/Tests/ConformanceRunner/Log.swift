import Foundation

/// What this process writes to standard error, where the library tells of its own mistakes, kept for the judge.
struct Log {
    private let file: FileHandle
    private let shown: Int32

    /// Turns standard error into a file that is in no folder.
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

    /// Standard error is itself again; the lines that were written.
    func end() throws -> [String] {
        dup2(shown, 2)
        try file.seek(toOffset: 0)
        let text = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
        return text.split(separator: "\n").map(String.init)
    }
}
