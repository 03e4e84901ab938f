import Foundation
import Vitalwire

/// Records the attempts that a client's closure receives, in the format of reports.
final class AttemptRecorder: @unchecked Sendable {
    private let lock = NSLock()
    private var attempts: [JSON] = []
    private var shown: [String] = []

    func add(_ attempt: Attempt) {
        let members: JSON = .members([
            "operation": .text(attempt.operation), "http_method": .text(attempt.httpMethod), "path_template": .text(attempt.pathTemplate),
            "attempt": .number(String(attempt.attempt)), "status": attempt.status.map { .number(String($0)) },
            "error": attempt.error.map { .text(name(of: $0)) },
            "next_delay_ms": attempt.nextDelay.map { Milliseconds($0).canonical(Reading()) },
            "request_id": attempt.requestID.map { .text($0) },
        ])
        var dumped = ""
        dump(attempt, to: &dumped)
        lock.withLock {
            attempts.append(members)
            shown += ["\(attempt)", String(reflecting: attempt), dumped]
        }
    }

    func addAttempts(to report: Report) -> Report {
        lock.withLock { Report(outcome: report.outcome, texts: report.texts + shown, reportedAttempts: attempts) }
    }
}
