import Foundation

/// Any JSON value, kept as the text it came as: no digit of a number is lost.
public struct JSONValue: Hashable, Sendable {
    /// The value as JSON text.
    public let json: String

    /// Trusts the text: it comes from the native side, or from an encoder.
    init(json: String) { self.json = json }

    /// The null value.
    public static let null = JSONValue(json: "null")

    /// A value that can be encoded.
    ///
    /// - Throws: What `JSONEncoder` throws, for example of a number that is infinite.
    public init(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        json = String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    /// The value as a type of yours.
    ///
    /// - Throws: `DecodingError` where it is of another type.
    public func decode<Value: Decodable>(_: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(Value.self, from: Data(json.utf8))
    }

    static func members(_ texts: [String: String]) -> [String: JSONValue] {
        texts.isEmpty ? [:] : texts.mapValues { JSONValue(json: $0) }
    }
}

/// Through another format's coder a number keeps what a `Decimal` holds, 38 digits.
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

/// A value in its parts, while it passes a coder.
private enum Node: Codable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Decimal)
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
        case .string(let text): try value.encode(text)
        case .array(let items): try value.encode(items)
        case .object(let members): try value.encode(members)
        }
    }
}
