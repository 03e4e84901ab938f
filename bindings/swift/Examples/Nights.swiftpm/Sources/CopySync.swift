#if canImport(FoundationNetworking)
    // URLError on Linux.
    import FoundationNetworking
#endif
// --8<-- [start:program]
import Foundation
import Vitalwire

/// Updates the copy in a file.
actor CopySync {
    /// An outcome of a sync.
    enum Outcome { case success, retry, failure }

    private let file: URL
    private let client: VitalwireClient
    private let user: String
    private let firstDay: CalendarDate?
    private let secret: @Sendable () throws -> Data
    private var isRunning = false

    /// - Parameters:
    ///   - firstDay: The first day of the copy. Defaults to 365 days before the first sync.
    ///   - secret: Returns the key of the digests in states.
    init(file: URL, client: VitalwireClient, user: String, firstDay: CalendarDate? = nil, secret: @escaping @Sendable () throws -> Data) {
        (self.file, self.client, self.user, self.firstDay, self.secret) = (file, client, user, firstDay, secret)
    }

    /// Returns the records of the copy, the newest day first.
    func records() throws -> [RecordCopy.Record] { try RecordCopy.read(file).records.values.sorted { $0.id > $1.id } }

    /// Updates the copy. If the sync is interrupted, the next one continues after the last part that was stored.
    func update() async -> Outcome {
        // While an actor waits, it accepts other calls. Only one run may store its states.
        guard !isRunning else { return .retry }
        isRunning = true
        defer { isRunning = false }
        do {
            // --8<-- [start:sync]
            var copy = try RecordCopy.read(file)
            let sync = client.sync([.daily], secret: try secret(), user: user, state: copy.state, from: firstDay)
            for try await part in sync {
                copy.apply(part)
                try copy.write(file)
            }
            // --8<-- [end:sync]
            return .success
        } catch let error as StateError {
            return error.reason == .otherUser ? .failure : startAgain()
        } catch is DecodingError {
            return startAgain()
        } catch let error as VitalwireError {
            // The token provider throws a `URLError` if its server fails.
            let isOutage = (error.underlying as? URLError).map { $0.code != .userAuthenticationRequired } ?? false
            return error.isTransient || isOutage ? .retry : .failure
        } catch {
            // The task is cancelled, or the device has not been unlocked since it was started.
            return .retry
        }
    }

    /// Removes a copy that cannot be used any more. The next run reads all records again.
    private func startAgain() -> Outcome {
        try? FileManager.default.removeItem(at: file)
        return .retry
    }
}
// --8<-- [end:program]
