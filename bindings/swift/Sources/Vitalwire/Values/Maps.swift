import Foundation

/// A map from names to numbers, such as the metrics of a sleep.
public protocol NumberMap: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The open set of the map's keys.
    associatedtype Name: OpenSet

    /// Returns the number with the given name; `nil` if it is missing.
    subscript(name: Name) -> Double? { get }
}

/// A map from names to series, such as the samples of a sleep.
public protocol SeriesMap: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The open set of the map's keys.
    associatedtype Name: OpenSet

    /// Returns the series with the given name; `nil` if it is missing.
    subscript(name: Name) -> Series? { get }
}

extension NumberMap {
    /// The type name, without values.
    public var description: String { "\(Self.self)(..)" }

    /// Same as `description`.
    public var debugDescription: String { description }

    /// An empty mirror, so that `dump` shows no values.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension SeriesMap {
    /// The type name, without values.
    public var description: String { "\(Self.self)(..)" }

    /// Same as `description`.
    public var debugDescription: String { description }

    /// An empty mirror, so that `dump` shows no values.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// Decodes numbers or series by name, and all other values as JSON.
func namedMembers<Value: Decodable>(_ decoder: any Decoder) throws -> ([String: Value], [String: JSONValue]) {
    var members = try MemberDecoder(decoder)
    var named: [String: Value] = [:]
    for name in members.names { named[name] = members.optional(name) }
    return (named, members.rest())
}

/// Encodes numbers or series by name, and all other values as JSON.
func encode<Value: Encodable>(_ named: [String: Value], _ extra: [String: JSONValue], to encoder: any Encoder) throws {
    var members = MemberEncoder(encoder)
    for (name, value) in named { try members.optional(name, value) }
    try members.rest(extra)
}
