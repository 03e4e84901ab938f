import Foundation
import Vitalwire

/// A synthetic response of a call.
struct Sample: Sendable {
    let status: Int
    let json: String?

    /// Returns the record at a path of fields and list indexes in the sample response of a call. A test reads every path.
    static func record<Record: Decodable>(_ call: Call, _ path: any PathStep...) -> Record {
        guard let json = all[call]?.json, let record: Record = try? path.reduce(value(json), { try $1.step(into: $0) }).decode() else {
            preconditionFailure("the sample response of \(call.operation) has no \(Record.self)")
        }
        return record
    }

    /// Decodes a record from JSON text, for records that are in no response.
    static func record<Record: Decodable>(_ json: String) -> Record {
        guard let record: Record = try? value(json).decode() else { preconditionFailure("the sample cannot be decoded as \(Record.self)") }
        return record
    }

    private static func value(_ json: String) throws -> JSONValue { try JSONDecoder().decode(JSONValue.self, from: Data(json.utf8)) }
}

/// A step of a path into a JSON value: a field name or a list index.
protocol PathStep: Sendable {
    func step(into value: JSONValue) throws -> JSONValue
}

extension String: PathStep {
    func step(into value: JSONValue) throws -> JSONValue { try value.decode([String: JSONValue].self)[self] ?? .null }
}

extension Int: PathStep {
    func step(into value: JSONValue) throws -> JSONValue { try value.decode([JSONValue].self)[self] }
}
