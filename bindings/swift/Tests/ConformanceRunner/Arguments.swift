import Foundation
import Vitalwire

/// A feature of a case that this binding does not support; the ledger lists it.
struct Unsupported: Error {
    let what: String
}

/// The error of an invalid case.
struct Unplayable: Error {
    let what: String
}

protocol ArgumentValue {
    init(given: JSON) throws
}

/// Arguments of one operation by wire name, and the options of the call, the wait and the range.
struct Arguments: Sendable {
    let given: JSON
    let options: CallOptions
    var wait = WaitOptions()
    var length: PartLength?
    var range = RangeOptions()
    /// Action to play while the parts of a range are read one by one; `nil` if the parts are collected.
    var turn: String?

    /// Rejects arguments with other names.
    func checkNames(_ names: [String]) throws {
        if let member = given.members.first(where: { !names.contains($0.name) }) {
            throw Unplayable(what: "there is no argument \(member.name)")
        }
    }

    /// Plays a wait and returns the final record.
    func finalRecord<Record: Sendable>(_ analysis: WaitCall<Record>) async throws -> Record {
        for try await state in analysis {
            if case .ended(let record) = state { return record }
        }
        throw Unplayable(what: "an analysis without an end")
    }

    /// Plays a range. Returns the outcome of the merged response, or of parts that are read one by one.
    func playRange<Answered: Canonical & Sendable>(_ range: RangeCall<Answered>) async throws -> Outcome {
        guard let turn else { return Outcome(merged: try await range.collect()) }
        return Outcome(try await readings(range.makeAsyncIterator(), turn))
    }

    func required<T: ArgumentValue>(_ name: String) throws -> T {
        guard let value = given[name] else { throw Unplayable(what: "there is no \(name)") }
        return try T(given: value)
    }

    func optional<T: ArgumentValue>(_ name: String) throws -> T? {
        try given[name].map { try T(given: $0) }
    }
}

/// Returns a converted argument; throws if the conversion failed.
private func unwrapped<T>(_ value: T?, _ type: String) throws -> T {
    guard let value else { throw Unplayable(what: "an argument that is no \(type)") }
    return value
}

extension String: ArgumentValue {
    init(given: JSON) throws { self = try unwrapped(given.text, "text") }
}

extension ArgumentValue where Self: OpenSet {
    init(given: JSON) throws { self.init(rawValue: try unwrapped(given.text, "text")) }
}

extension Bool: ArgumentValue {
    init(given: JSON) throws { self = try unwrapped(given.truth, "boolean") }
}

extension Int: ArgumentValue {
    init(given: JSON) throws {
        guard case .number(let digits) = given, let value = Int(digits) else { throw Unplayable(what: "no integer") }
        self = value
    }
}

extension Double: ArgumentValue {
    /// Converts a double. NaN and infinities are texts, because JSON cannot express them.
    init(given: JSON) throws {
        switch given {
        case .number(let text), .text(let text): self = try unwrapped(Double(text), "number")
        default: throw Unplayable(what: "no number")
        }
    }
}

extension Data: ArgumentValue {
    /// Converts bytes: base64 text, or a number of zero bytes.
    init(given: JSON) throws {
        let text = try unwrapped(given.text, "text")
        let zeros = text.hasPrefix("zeros:") ? Int(text.dropFirst("zeros:".count)) : nil
        self = try unwrapped(zeros.map { Data(count: $0) } ?? Data(base64Encoded: text), "base64")
    }
}

extension Array: ArgumentValue where Element: ArgumentValue {
    init(given: JSON) throws { self = try unwrapped(given.items, "list").map { try Element(given: $0) } }
}
