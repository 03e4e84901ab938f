import Foundation

/// Any JSON value, stored as its original text. Numbers keep all of their digits.
public struct JSONValue: Hashable, Sendable {
    /// JSON text of the value.
    public let json: String

    /// Creates a value from text that is known to be JSON, because the native client or an encoder wrote it.
    init(json: String) { self.json = json }

    /// The JSON value `null`.
    public static let null = JSONValue(json: "null")

    /// Encodes a value as JSON.
    ///
    /// - Throws: `EncodingError`, for example if a number is infinite.
    public init(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        json = String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    /// Decodes the value.
    ///
    /// - Throws: `DecodingError` if the value has another type.
    public func decode<Value: Decodable>(_: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(Value.self, from: Data(json.utf8))
    }

    static func members(_ texts: [String: String]) -> [String: JSONValue] {
        texts.isEmpty ? [:] : texts.mapValues { JSONValue(json: $0) }
    }
}

/// Conversion with any coder. Numbers are converted with `Decimal`, which keeps 38 digits. Numbers beyond its range are converted
/// with `Double`.
extension JSONValue: Codable {
    public init(from decoder: any Decoder) throws {
        try self.init(Node(from: decoder))
    }

    public func encode(to encoder: any Encoder) throws {
        try decode(Node.self).encode(to: encoder)
    }
}

extension JSONValue: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The type name, without values.
    public var description: String { "JSONValue(..)" }

    /// Same as `description`.
    public var debugDescription: String { description }

    /// An empty mirror, so that `dump` shows no values.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// A parsed JSON value, as an intermediate form for coders.
private enum Node: Codable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Decimal)
    /// A number beyond the range of `Decimal`.
    case double(Double)
    case string(String)
    case array([Node])
    case object([String: Node])

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let truth = try? value.decode(Bool.self) {
            self = .bool(truth)
        } else if let whole = try? value.decode(Int64.self) {
            self = .integer(whole)
        } else if let number = try? value.decode(Decimal.self) {
            self = .number(number)
        } else if let number = try? value.decode(Double.self) {
            self = .double(number)
        } else if let text = try? value.decode(String.self) {
            self = .string(text)
        } else if let items = try? value.decode([Node].self) {
            self = .array(items)
        } else {
            self = .object(try value.decode([String: Node].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .null: try value.encodeNil()
        case .bool(let truth): try value.encode(truth)
        case .integer(let whole): try value.encode(whole)
        case .number(let number): try value.encode(number)
        case .double(let number): try value.encode(number)
        case .string(let text): try value.encode(text)
        case .array(let items): try value.encode(items)
        case .object(let members): try value.encode(members)
        }
    }
}
