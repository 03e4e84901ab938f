/// A JSON value. Numbers keep all digits, and fields keep their order. Names are compared by bytes, because Swift's `==`
/// ignores differences in normalization.
enum JSON: Equatable, Sendable {
    case null
    case truth(Bool)
    case number(String)
    case text(String)
    case list([JSON])
    case object([Member])

    struct Member: Equatable, Sendable {
        let name: String
        let value: JSON
    }

    /// Creates an object; `nil` values are left out.
    static func members(_ members: KeyValuePairs<String, JSON?>) -> JSON {
        .object(members.compactMap { name, value in value.map { Member(name: name, value: $0) } })
    }

    /// Creates an object with one field that marks a value, such as `unknown` or `extra`.
    static func marked(_ mark: String, _ value: JSON) -> JSON { .object([Member(name: mark, value: value)]) }

    subscript(name: String) -> JSON? { members.first { $0.name == name }?.value }

    var members: [Member] { if case .object(let members) = self { members } else { [] } }

    var items: [JSON]? { if case .list(let items) = self { items } else { nil } }

    var text: String? { if case .text(let text) = self { text } else { nil } }

    var truth: Bool? { if case .truth(let truth) = self { truth } else { nil } }

    var whole: UInt64? { if case .number(let digits) = self { UInt64(digits) } else { nil } }

    /// The JSON text of the value, in UTF-8.
    var written: [UInt8] {
        var out: [UInt8] = []
        write(&out)
        return out
    }

    private func write(_ out: inout [UInt8]) {
        switch self {
        case .null: out += "null".utf8
        case .truth(let truth): out += (truth ? "true" : "false").utf8
        case .number(let digits): out += digits.utf8
        case .text(let text): JSON.quote(text, &out)
        case .list(let items):
            JSON.writeSeparated(items, "[", "]", &out) { item, out in item.write(&out) }
        case .object(let members):
            JSON.writeSeparated(members, "{", "}", &out) { member, out in
                JSON.quote(member.name, &out)
                out.append(UInt8(ascii: ":"))
                member.value.write(&out)
            }
        }
    }

    private static func writeSeparated<T>(
        _ items: [T], _ open: String, _ close: String, _ out: inout [UInt8], _ write: (T, inout [UInt8]) -> Void
    ) {
        out += open.utf8
        for (index, item) in items.enumerated() {
            if index > 0 { out.append(UInt8(ascii: ",")) }
            write(item, &out)
        }
        out += close.utf8
    }

    private static func quote(_ text: String, _ out: inout [UInt8]) {
        out.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            if byte < 0x20 {
                let digits = String(byte, radix: 16)
                out += ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8
            } else {
                if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { out.append(UInt8(ascii: "\\")) }
                out.append(byte)
            }
        }
        out.append(UInt8(ascii: "\""))
    }
}
