import Foundation

/// A set of names that the service may extend: a struct over the text, so that a new name breaks nobody's `switch`.
public protocol OpenSet: RawRepresentable, Codable, Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible,
    CustomReflectable
where RawValue == String {
    /// From any text, also one that this version does not know.
    init(rawValue: String)

    /// Every value that this version knows.
    static var allKnown: [Self] { get }

    /// Whether this version knows the value, in any of its spellings.
    var isKnown: Bool { get }
}

extension OpenSet {
    /// Whether this version knows the value.
    public var isKnown: Bool { Self.allKnown.contains(self) }

    /// The name as the service writes it, for literals.
    public init(stringLiteral value: String) { self.init(rawValue: value) }

    /// The type name, without the value. A provider or a sleep stage is personal.
    public var description: String { "\(Self.self)(..)" }

    /// An empty mirror, so that `dump` shows no values.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// What nutritional numbers refer to.
public struct NumberBasis: OpenSet {
    /// The text that the core uses.
    public let rawValue: String

    /// From any text, also one that this version does not know.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The serving size of the record.
    public static let perServing = NumberBasis(rawValue: "per_serving")
    /// 100 g or 100 ml.
    public static let per100 = NumberBasis(rawValue: "per_100")
    /// The service does not say.
    public static let unknown = NumberBasis(rawValue: "unknown")

    /// Every value that this version knows.
    public static let allKnown: [NumberBasis] = [.perServing, .per100, .unknown]
}
