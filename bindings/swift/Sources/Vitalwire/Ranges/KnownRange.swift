import Foundation

/// A range that requests nothing: what a fake was given.
struct KnownRange<Response: Sendable>: Sendable {
    typealias Merged = MergedRange<Response>

    let parts: [RangePart<Response>]
    /// What all parts are merged, or the error that comes after them.
    let end: Result<Response, any Error>
    /// What the error has of what was read before.
    let soFar: Response?

    func collect(onProgress: (@Sendable (RangeProgress) -> Void)?) throws -> Merged {
        for part in parts {
            try checkCancelled(part.resumeToken)
            onProgress?(part.progress)
        }
        switch end {
        case .success(let response): return Merged(response, of: parts)
        case .failure(let error):
            guard var failed = error as? VitalwireError, let soFar else { throw error }
            failed.merged = Merged(soFar, of: parts)
            throw failed
        }
    }

    func checkCancelled(_ left: ResumeToken?) throws {
        if Task.isCancelled { throw VitalwireError(.cancelled, "the range was cancelled", resumeToken: left) }
    }
}

/// The parts of such a range, one after the other.
final class KnownParts<Response: Sendable>: @unchecked Sendable {
    typealias Part = RangePart<Response>

    private let range: KnownRange<Response>
    private let lock = NSLock()
    private var at = 0
    private var isOver = false

    init(_ range: KnownRange<Response>) { self.range = range }

    func next() throws -> Part? {
        try lock.withLock {
            guard !isOver else { return nil }
            try range.checkCancelled(before?.resumeToken)
            guard at < range.parts.count else {
                isOver = true
                _ = try range.end.get()
                return nil
            }
            at += 1
            return before
        }
    }

    /// The part that was handed out last.
    var last: Part? { lock.withLock { before } }

    func close() { lock.withLock { isOver = true } }

    private var before: Part? { at == 0 ? nil : range.parts[at - 1] }
}
