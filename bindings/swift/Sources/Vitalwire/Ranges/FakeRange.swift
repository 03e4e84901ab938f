import Foundation

/// A range of a fake, with fixed parts and no requests.
struct FakeRange<Response: Sendable>: Sendable {
    typealias Merged = MergedRange<Response>

    let parts: [RangePart<Response>]
    /// Result after the last part: the merged response or an error.
    let end: Result<Response, any Error>
    /// The merged response of the parts before the error.
    let partialResult: Response?

    func collect(onProgress: (@Sendable (RangeProgress) -> Void)?) throws -> Merged {
        for part in parts {
            try checkCancelled(part.resumeToken)
            onProgress?(part.progress)
        }
        switch end {
        case .success(let response): return Merged(response, of: parts)
        case .failure(let error):
            guard var failed = error as? VitalwireError, let partialResult else { throw error }
            failed.merged = Merged(partialResult, of: parts)
            throw failed
        }
    }

    func checkCancelled(_ left: ResumeToken?) throws {
        if Task.isCancelled { throw VitalwireError(.cancelled, "the range was cancelled", resumeToken: left) }
    }
}

extension FakeRange where Response == [Night] {
    /// Returns the table of the nights. A fake has no days without a sleep.
    func collectSleepsTable(onProgress: (@Sendable (RangeProgress) -> Void)?) throws -> MergedRange<ColumnTable> {
        do {
            return try sleepsTable(try collect(onProgress: onProgress))
        } catch var failed as VitalwireError {
            failed.merged = try (failed.merged as? Merged).map(sleepsTable)
            throw failed
        }
    }

    private func sleepsTable(_ merged: Merged) throws -> MergedRange<ColumnTable> {
        MergedRange(try ColumnTable("sleeps", of: merged.response.map(\.record), "get_sleep"), parts: merged.parts)
    }
}

/// A reader of the parts of a `FakeRange`.
final class FakeParts<Response: Sendable>: @unchecked Sendable {
    typealias Part = RangePart<Response>

    private let range: FakeRange<Response>
    private let lock = NSLock()
    private var position = 0
    private var isFinished = false

    init(_ range: FakeRange<Response>) { self.range = range }

    func next() throws -> Part? {
        try lock.withLock {
            guard !isFinished else { return nil }
            try range.checkCancelled(lastWhileLocked?.resumeToken)
            guard position < range.parts.count else {
                isFinished = true
                _ = try range.end.get()
                return nil
            }
            position += 1
            return lastWhileLocked
        }
    }

    /// The part that was returned last.
    var last: Part? { lock.withLock { lastWhileLocked } }

    func close() { lock.withLock { isFinished = true } }

    private var lastWhileLocked: Part? { position == 0 ? nil : range.parts[position - 1] }
}
