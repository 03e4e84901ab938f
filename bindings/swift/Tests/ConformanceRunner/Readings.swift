import Foundation
import Vitalwire

/// Time until a read is in flight. The judge delays the response longer than that.
private let underWay = Duration.milliseconds(150)

/// Reads the parts of a range one by one. `turn` says whether to start a concurrent read or to close the reader.
func readings<Answered: Sendable>(_ parts: RangeParts<Answered>, _ turn: String) async throws -> JSON {
    var read: [Int] = []
    var ended: VitalwireError?
    func take(_ reading: () async throws -> RangePart<Answered>?) async throws -> Bool {
        do {
            guard let part = try await reading() else { return false }
            read.append(part.index)
            return true
        } catch let error as VitalwireError {
            ended = error
            return false
        }
    }
    _ = try await take { try await parts.next() }
    switch turn {
    case "second_reader", "closed_while_read":
        let first = Task { try await parts.next() }
        try await Task.sleep(for: underWay)
        if turn == "second_reader" {
            _ = try await take { try await parts.next() }
        } else {
            parts.close()
        }
        _ = try await take { try await first.value }
    case "closed": parts.close()
    case "read_on": while try await take({ try await parts.next() }) {}
    default: throw Unplayable(what: "no such turn")
    }
    while try await take({ try await parts.next() }) {}
    return .members([
        "read": .list(read.map { .number(String($0)) }), "left": .number(String(parts.resumeToken?.partsLeft ?? 0)),
        "error": ended.map { .text(name(of: $0.kind)) }, "code": ended.map { .number(String($0.code)) },
    ])
}
