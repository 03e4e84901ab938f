import Foundation
import Vitalwire

/// A synthetic answer of a call.
struct Sample: Sendable {
    let status: Int
    let json: String?

    /// The record in a call's answer that lies at the end of a way through members and lists. A test reads every one of them.
    static func record<Record: Decodable>(_ call: Call, _ path: any PathStep...) -> Record {
        guard let json = all[call]?.json, let record: Record = try? path.reduce(value(json), { try $1.step(into: $0) }).decode() else {
            preconditionFailure("the sample of \(call.operation) has no \(Record.self)")
        }
        return record
    }

    /// The record that a text is, where no call answers one.
    static func record<Record: Decodable>(_ json: String) -> Record {
        guard let record: Record = try? value(json).decode() else { preconditionFailure("the sample is no \(Record.self)") }
        return record
    }

    private static func value(_ json: String) throws -> JSONValue { try JSONDecoder().decode(JSONValue.self, from: Data(json.utf8)) }
}

/// A member's name, or a place in a list.
protocol PathStep: Sendable {
    func step(into value: JSONValue) throws -> JSONValue
}

extension String: PathStep {
    func step(into value: JSONValue) throws -> JSONValue { try value.decode([String: JSONValue].self)[self] ?? .null }
}

extension Int: PathStep {
    func step(into value: JSONValue) throws -> JSONValue { try value.decode([JSONValue].self)[self] }
}
