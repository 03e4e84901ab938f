/// A set of names that the service may extend: a struct over the text, so that a new name breaks nobody's `switch`.
public protocol OpenSet: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible,
    CustomReflectable
where RawValue == String {
    /// From any text, also one that this version does not know.
    init(rawValue: String)
}

extension OpenSet {
    public init(stringLiteral value: String) { self.init(rawValue: value) }

    /// Shows the type, not the value: which provider or sleep stage it is tells about a person.
    public var description: String { "\(Self.self)(..)" }

    /// Shows no value to `dump` either.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
