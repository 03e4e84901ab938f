import Foundation
import Vitalwire

/// What has a form in canonical JSON (see `tests/conformance/README.md`), built from what users read.
protocol Canonical {
    func canonical(_ reading: Reading) -> JSON
}

/// What is collected while an answer is read: the bases of its numbers, and what its records show of themselves.
final class Reading {
    private var bases: Set<String> = []
    private(set) var texts: [String] = []

    /// So many records' texts are kept: a long list's are all alike.
    private static let shown = 64

    func basis(_ name: String) { bases.insert(name) }

    /// What the nutritional numbers refer to; `mixed` where they differ, which no answer's may.
    var basis: String? { bases.count > 1 ? "mixed" : bases.first }

    func show<T>(_ value: T) {
        guard texts.count < Reading.shown else { return }
        texts += ["\(value)", String(reflecting: value)]
    }
}

/// The members of a record, by their names on the wire.
struct Members {
    private let reading: Reading
    private var members: [JSON.Member] = []

    init<T>(_ reading: Reading, of record: T) {
        self.reading = reading
        reading.show(record)
    }

    /// One that is always there.
    mutating func required(_ name: String, _ value: some Canonical) {
        members.append(JSON.Member(name: name, value: value.canonical(reading)))
    }

    /// One that is left out where it is absent.
    mutating func optional(_ name: String, _ value: (some Canonical)?) {
        if let value { required(name, value) }
    }

    /// An instant, which is there twice: exactly, and as the `Date` nearest to it.
    mutating func instant(_ name: String, _ exact: Timestamp?, _ date: Date?) {
        let same = exact.map { exact in date.map { abs($0.timeIntervalSince(exact.date)) < 1e-6 } ?? false } ?? (date == nil)
        optional(name, same ? exact.map { $0.canonical(reading) } : .text("the date differs"))
    }

    /// One that may be absent, null or a list.
    mutating func list(_ name: String, _ value: (some Canonical)?, null: Bool) {
        if null { members.append(JSON.Member(name: name, value: .null)) }
        optional(name, value)
    }

    /// The members, with those that the client does not know.
    func finish(_ extra: [String: JSONValue]) -> JSON { .object(members + unknown(extra)) }
}

/// Members that the client does not know, as the values that their texts say, marked as such.
func unknown(_ extra: [String: JSONValue]) -> [JSON.Member] { extra.members { .marked("extra", $0.value) } }

extension Dictionary where Key == String {
    /// Members in the order of their names, so that two answers that hold the same are the same.
    func members(_ json: (Value) -> JSON) -> [JSON.Member] {
        sorted { $0.key < $1.key }.map { JSON.Member(name: $0.key, value: json($0.value)) }
    }
}

extension JSONValue: Canonical {
    /// The value; the text itself where the judge could not read it.
    var value: JSON { (try? JSONParser.parse(Array(json.utf8))) ?? .text(json) }

    func canonical(_: Reading) -> JSON { value }
}

/// A length of time, in milliseconds on the wire.
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
    /// The text, marked where the set does not know it.
    func canonical(_: Reading) -> JSON { isKnown ? .text(rawValue) : .marked("unknown", .text(rawValue)) }
}

extension Bool: Canonical {
    func canonical(_: Reading) -> JSON { .truth(self) }
}

extension Int: Canonical {
    func canonical(_: Reading) -> JSON { .number(String(self)) }
}

extension Double: Canonical {
    /// The shortest decimal that gives the same double, whole ones without a point; a gap in a series is null.
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
