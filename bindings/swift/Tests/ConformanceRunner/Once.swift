import Foundation

/// Resumes a continuation with the first report that it receives, and ignores later reports.
final class Once: @unchecked Sendable {
    private let lock = NSLock()
    private var continuation: CheckedContinuation<Report, Never>?

    init(_ continuation: CheckedContinuation<Report, Never>) { self.continuation = continuation }

    func resume(_ report: Report) {
        let waiting = lock.withLock {
            defer { continuation = nil }
            return continuation
        }
        waiting?.resume(returning: report)
    }
}
