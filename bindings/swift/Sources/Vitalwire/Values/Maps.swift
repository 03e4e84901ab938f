import Foundation

/// A wide object of numbers, such as the metrics of a sleep.
public protocol NumberMap: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The set of its names.
    associatedtype Name: OpenSet

    /// The number under a name.
    subscript(name: Name) -> Double? { get }
}

/// A wide object of series, such as the samples of a sleep.
public protocol SeriesMap: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The set of its names.
    associatedtype Name: OpenSet

    /// The series under a name.
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

/// Numbers or series by name, and the members that are neither, as a decoder gives them.
func namedMembers<Value: Decodable>(_ decoder: any Decoder) throws -> ([String: Value], [String: JSONValue]) {
    var members = try MemberDecoder(decoder)
    var named: [String: Value] = [:]
    for name in members.names { named[name] = members.optional(name) }
    return (named, members.rest())
}

/// Writes numbers or series by name, and the members that are neither.
func encode<Value: Encodable>(_ named: [String: Value], _ extra: [String: JSONValue], to encoder: any Encoder) throws {
    var members = MemberEncoder(encoder)
    for (name, value) in named { try members.optional(name, value) }
    try members.rest(extra)
}
