import Foundation
import Vitalwire

/// A value with a form in canonical JSON (see `tests/conformance/README.md`).
protocol Canonical {
    func canonical(_ reading: Reading) -> JSON
}

/// Collector of the bases of numbers and the descriptions of records in one response.
final class Reading {
    private var bases: Set<String> = []
    private(set) var texts: [String] = []

    /// Maximum number of descriptions. More are not needed, because the records of a long list are alike.
    private static let shown = 64

    func basis(_ name: String) { bases.insert(name) }

    /// Basis of the nutritional numbers; `mixed` if they differ, which is an error.
    var basis: String? { bases.count > 1 ? "mixed" : bases.first }

    func show<T>(_ value: T) {
        guard texts.count < Reading.shown else { return }
        texts += ["\(value)", String(reflecting: value)]
    }
}

/// Collects the canonical fields of a record by wire name.
struct Members {
    private let reading: Reading
    private var members: [JSON.Member] = []

    init<T>(_ reading: Reading, of record: T) {
        self.reading = reading
        reading.show(record)
    }

    mutating func required(_ name: String, _ value: some Canonical) {
        members.append(JSON.Member(name: name, value: value.canonical(reading)))
    }

    /// Adds an optional field, unless it is absent.
    mutating func optional(_ name: String, _ value: (some Canonical)?) {
        if let value { required(name, value) }
    }

    /// Adds an instant. Checks that the record's exact `Timestamp` and its `Date` are equal.
    mutating func instant(_ name: String, _ exact: Timestamp?, _ date: Date?) {
        let same = exact.map { exact in date.map { abs($0.timeIntervalSince(exact.date)) < 1e-6 } ?? false } ?? (date == nil)
        optional(name, same ? exact.map { $0.canonical(reading) } : .text("the date differs"))
    }

    /// Adds a field that may be absent, null or a list.
    mutating func list(_ name: String, _ value: (some Canonical)?, null: Bool) {
        if null { members.append(JSON.Member(name: name, value: .null)) }
        optional(name, value)
    }

    /// Returns all fields, including unknown ones.
    func finish(_ extra: [String: JSONValue]) -> JSON { .object(members + unknown(extra)) }
}

/// Returns unknown fields as marked values.
func unknown(_ extra: [String: JSONValue]) -> [JSON.Member] { extra.members { .marked("extra", $0.value) } }

extension Dictionary where Key == String {
    /// Returns fields sorted by name, so that equal responses are equal.
    func members(_ json: (Value) -> JSON) -> [JSON.Member] {
        sorted { $0.key < $1.key }.map { JSON.Member(name: $0.key, value: json($0.value)) }
    }
}

extension JSONValue: Canonical {
    /// The parsed value, or the JSON text if the judge could not parse it.
    var value: JSON { (try? JSONParser.parse(Array(json.utf8))) ?? .text(json) }

    func canonical(_: Reading) -> JSON { value }
}

/// A duration, in milliseconds on the wire.
struct Milliseconds: Canonical {
    let duration: Duration

    init(_ duration: Duration) { self.duration = duration }

    func canonical(_: Reading) -> JSON {
        .number(String(duration.components.seconds * 1_000 + duration.components.attoseconds / 1_000_000_000_000_000))
    }
}

extension JSON: Canonical {
    func canonical(_: Reading) -> JSON { self }
}

extension String: Canonical {
    func canonical(_: Reading) -> JSON { .text(self) }
}

extension Canonical where Self: OpenSet {
    /// Writes the text, marked if it is unknown.
    func canonical(_: Reading) -> JSON { isKnown ? .text(rawValue) : .marked("unknown", .text(rawValue)) }
}

extension Bool: Canonical {
    func canonical(_: Reading) -> JSON { .truth(self) }
}

extension Int: Canonical {
    func canonical(_: Reading) -> JSON { .number(String(self)) }
}

extension Double: Canonical {
    /// Writes the shortest decimal that parses to the same double. Integers have no decimal point; a gap in a series is null.
    var json: JSON {
        if isNaN { return .null }
        let shortest = "\(self)"
        return .number(shortest.hasSuffix(".0") ? String(shortest.dropLast(2)) : shortest)
    }

    func canonical(_: Reading) -> JSON { json }
}

extension Data: Canonical {
    func canonical(_: Reading) -> JSON { .text(base64EncodedString()) }
}

extension Series: Canonical {
    var json: JSON { .list(map(\.json)) }

    func canonical(_: Reading) -> JSON { json }
}

extension Array: Canonical where Element: Canonical {
    func canonical(_ reading: Reading) -> JSON { .list(map { $0.canonical(reading) }) }
}
