// --8<-- [start:program]
import Foundation
import Vitalwire

/// A copy of the user's records, with the state of the last sync. Both are in one file, so that they change together.
struct RecordCopy: Codable, Sendable {
    /// A record. Its rows are JSON objects.
    struct Record: Codable, Hashable, Sendable {
        let kind: RecordKind
        let id: String
        let day: CalendarDate?
        let jsonRows: [String]
    }

    private(set) var records: [String: Record] = [:]
    private(set) var state: Data?

    // --8<-- [start:apply]
    /// Applies the changes of a part in their order, and keeps its state.
    mutating func apply(_ part: SyncPart) {
        for change in part.changes {
            let id = change.id ?? ""
            let key = "\(change.kind.rawValue) \(id)"
            switch change.type {
            case .added, .changed: records[key] = Record(kind: change.kind, id: id, day: change.day, jsonRows: change.jsonRows)
            case .removed: records[key] = nil
            case .dayRemoved: records = records.filter { $0.value.kind != change.kind || $0.value.day != change.day }
            }
        }
        state = part.state
    }
    // --8<-- [end:apply]

    /// Reads the copy. It is empty if there is no file yet.
    ///
    /// - Throws: `DecodingError` if the file is damaged, or another error if it cannot be read, for example before the device is unlocked.
    static func read(_ file: URL) throws -> RecordCopy {
        guard FileManager.default.fileExists(atPath: file.path) else { return RecordCopy() }
        return try JSONDecoder().decode(RecordCopy.self, from: Data(contentsOf: file))
    }

    /// Replaces the file. Background work can read it after the first unlock of the device. Backups do not contain it.
    func write(_ file: URL) throws {
        var options: Data.WritingOptions = [.atomic]
        #if os(iOS)
            options.insert(.completeFileProtectionUntilFirstUserAuthentication)
        #endif
        try JSONEncoder().encode(self).write(to: file, options: options)
        #if canImport(Darwin)
            // Replacing the file resets this value.
            var (file, values) = (file, URLResourceValues())
            values.isExcludedFromBackup = true
            try file.setResourceValues(values)
        #endif
    }
}
// --8<-- [end:program]
