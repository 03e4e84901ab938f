import Foundation
import Vitalwire

/// What a case asks for and this binding cannot do; it stands in the ledger.
struct Unsupported: Error {
    let what: String
}

/// A case that is written wrongly.
struct Unplayable: Error {
    let what: String
}

/// A type that arguments have.
protocol Given {
    init(given: JSON) throws
}

/// The arguments of one operation, by their names on the wire, and the settings of its call.
struct Arguments: Sendable {
    let given: JSON
    let options: CallOptions
    var wait = WaitOptions()
    var length: PartLength?
    var range = RangeOptions()
    /// What happens to the parts of a range that are read one by one.
    var turn: String?

    /// Refuses names that the operation does not have.
    func only(_ names: [String]) throws {
        if let member = given.members.first(where: { !names.contains($0.name) }) {
            throw Unplayable(what: "there is no argument \(member.name)")
        }
    }

    /// The record of an analysis, read to its end.
    func analysis<Record: Sendable>(_ analysis: WaitCall<Record>) async throws -> Record {
        for try await state in analysis {
            if case .ended(let record) = state { return record }
        }
        throw Unplayable(what: "an analysis without an end")
    }

    /// The merged answer to a range, or what came of its parts that were read one by one.
    func ranged<Answered: Canonical & Sendable>(_ range: RangeCall<Answered>) async throws -> Answer {
        guard let turn else { return Answer(merged: try await range.collect()) }
        return Answer(try await readings(range.makeAsyncIterator(), turn))
    }

    /// An argument that must be there.
    func required<T: Given>(_ name: String) throws -> T {
        guard let value = given[name] else { throw Unplayable(what: "there is no \(name)") }
        return try T(given: value)
    }

    /// An argument that may be left out.
    func optional<T: Given>(_ name: String) throws -> T? {
        try given[name].map { try T(given: $0) }
    }
}

/// A value that must be of a type.
private func must<T>(_ value: T?, _ type: String) throws -> T {
    guard let value else { throw Unplayable(what: "an argument that is no \(type)") }
    return value
}

extension String: Given {
    init(given: JSON) throws { self = try must(given.text, "text") }
}

extension Given where Self: OpenSet {
    init(given: JSON) throws { self.init(rawValue: try must(given.text, "text")) }
}

extension Bool: Given {
    init(given: JSON) throws { self = try must(given.truth, "boolean") }
}

extension Int: Given {
    init(given: JSON) throws {
        guard case .number(let digits) = given, let value = Int(digits) else { throw Unplayable(what: "no integer") }
        self = value
    }
}

extension Double: Given {
    /// Those that JSON cannot write are texts.
    init(given: JSON) throws {
        switch given {
        case .number(let text), .text(let text): self = try must(Double(text), "number")
        default: throw Unplayable(what: "no number")
        }
    }
}

extension Data: Given {
    /// Base64, or so many zeros.
    init(given: JSON) throws {
        let text = try must(given.text, "text")
        let zeros = text.hasPrefix("zeros:") ? Int(text.dropFirst("zeros:".count)) : nil
        self = try must(zeros.map { Data(count: $0) } ?? Data(base64Encoded: text), "base64")
    }
}

extension Array: Given where Element: Given {
    init(given: JSON) throws { self = try must(given.items, "list").map { try Element(given: $0) } }
}
