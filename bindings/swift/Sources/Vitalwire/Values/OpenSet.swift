import Foundation

/// A set of names that the service may extend.
///
/// An open set is a struct with a string raw value rather than an enum, so that a new name does not break a `switch`.
///
/// Two spellings of one value are equal if this version knows both. The raw value is the spelling received.
public protocol OpenSet: RawRepresentable, Codable, Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible,
    CustomReflectable
where RawValue == String {
    /// Creates a value from any text, including names that this version does not know.
    init(rawValue: String)

    /// All values that this version knows.
    static var allKnown: [Self] { get }

    /// Whether this version knows the value, including alternative spellings.
    var isKnown: Bool { get }
}

extension OpenSet {
    /// Whether this version knows the value.
    public var isKnown: Bool { Self.allKnown.contains(self) }

    /// Creates a value from a string literal, spelled as the service writes it.
    public init(stringLiteral value: String) { self.init(rawValue: value) }

    /// The type name, without the value. A provider or a sleep stage is personal.
    public var description: String { "\(Self.self)(..)" }

    /// An empty mirror, so that `dump` shows no values.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// The amount of food that nutritional numbers refer to.
public struct NumberBasis: OpenSet {
    /// Text of the basis, as the service writes it.
    public let rawValue: String

    /// Creates a value from any text, including names that this version does not know.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// One serving, with the size in the record.
    public static let perServing = NumberBasis(rawValue: "per_serving")
    /// 100 g or 100 ml.
    public static let per100 = NumberBasis(rawValue: "per_100")
    /// Not stated by the service.
    public static let unknown = NumberBasis(rawValue: "unknown")

    /// All values that this version knows.
    public static let allKnown: [NumberBasis] = [.perServing, .per100, .unknown]
}
