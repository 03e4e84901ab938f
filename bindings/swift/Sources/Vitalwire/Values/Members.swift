import Foundation

/// A coding key with any field name.
struct MemberName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

/// A decoder for the fields of a record. Unknown fields and fields of an unexpected type are left for `rest`.
struct MemberDecoder {
    private let container: KeyedDecodingContainer<MemberName>
    private var read: Set<String> = []

    init(_ decoder: any Decoder) throws {
        container = try decoder.container(keyedBy: MemberName.self)
    }

    mutating func required<Value: Decodable>(_ name: String) throws -> Value {
        read.insert(name)
        return try container.decode(Value.self, forKey: MemberName(name))
    }

    mutating func requiredMilliseconds(_ name: String) throws -> Duration {
        let milliseconds: Int64 = try required(name)
        return .milliseconds(milliseconds)
    }

    mutating func optional<Value: Decodable>(_ name: String) -> Value? {
        let key = MemberName(name)
        guard container.contains(key) else { return nil }
        let value = try? container.decodeIfPresent(Value.self, forKey: key)
        if value != nil || (try? container.decodeNil(forKey: key)) == true { read.insert(name) }
        return value
    }

    mutating func milliseconds(_ name: String) -> Duration? {
        let milliseconds: Int64? = optional(name)
        return milliseconds.map { .milliseconds($0) }
    }

    /// Decodes the valid items of a list; `nil` if the value is null or not a list.
    mutating func list<Item: Decodable>(_ name: String) -> [Item]? {
        let items: [ListItem<Item>]? = optional(name)
        return items?.compactMap(\.value)
    }

    /// Decodes the valid items of a list. Null is an empty list.
    mutating func requiredList<Item: Decodable>(_ name: String) throws -> [Item] {
        if isNull(name) {
            read.insert(name)
            return []
        }
        let items: [ListItem<Item>] = try required(name)
        return items.compactMap(\.value)
    }

    func isNull(_ name: String) -> Bool {
        (try? container.decodeNil(forKey: MemberName(name))) == true
    }

    /// Names of all fields that are present.
    var names: [String] { container.allKeys.map(\.stringValue) }

    /// Returns the fields that have not been decoded.
    func rest() -> [String: JSONValue] {
        var rest: [String: JSONValue] = [:]
        for key in container.allKeys where !read.contains(key.stringValue) {
            rest[key.stringValue] = try? container.decode(JSONValue.self, forKey: key)
        }
        return rest
    }
}

/// An item of a list, without a value if it cannot be decoded.
private struct ListItem<Value: Decodable>: Decodable {
    let value: Value?

    init(from decoder: any Decoder) throws {
        value = try? decoder.singleValueContainer().decode(Value.self)
    }
}

/// An encoder for the fields of a record. Leaves out fields that are `nil`.
struct MemberEncoder {
    private var container: KeyedEncodingContainer<MemberName>

    init(_ encoder: any Encoder) { container = encoder.container(keyedBy: MemberName.self) }

    mutating func optional<Value: Encodable>(_ name: String, _ value: Value?) throws {
        try container.encodeIfPresent(value, forKey: MemberName(name))
    }

    mutating func milliseconds(_ name: String, _ value: Duration?) throws {
        try optional(name, value?.milliseconds)
    }

    mutating func list<Value: Encodable>(_ name: String, _ value: Value?, null: Bool) throws {
        if value == nil && null { return try container.encodeNil(forKey: MemberName(name)) }
        try optional(name, value)
    }

    mutating func rest(_ extra: [String: JSONValue]) throws {
        for (name, value) in extra { try container.encode(value, forKey: MemberName(name)) }
    }
}

extension Duration {
    /// Whole milliseconds, rounded towards zero and clamped to `Int64`.
    var milliseconds: Int64 {
        let (seconds, rest) = (components.seconds, components.attoseconds / Self.attosecondsPerMillisecond)
        let (whole, tooMany) = seconds.multipliedReportingOverflow(by: 1_000)
        let (sum, tooManyInAll) = whole.addingReportingOverflow(rest)
        return tooMany || tooManyInAll ? (seconds < 0 ? .min : .max) : sum
    }

    /// Whole milliseconds for options. Rounded up, because an option can have a special meaning for 0. Negative durations become 0.
    var unsignedMilliseconds: UInt64 {
        let isWhole = components.attoseconds % Self.attosecondsPerMillisecond == 0
        return self <= .zero ? 0 : UInt64(milliseconds) + (isWhole ? 0 : 1)
    }

    private static let attosecondsPerMillisecond: Int64 = 1_000_000_000_000_000
}
