import Foundation

/// A series of doubles, kept as the one buffer it crossed in. A gap is not a number (`isNaN`).
public struct Series: RandomAccessCollection, Hashable, Sendable {
    /// Little endian, eight bytes a number.
    let bytes: Data

    init(bytes: Data) { self.bytes = bytes }

    /// A series made by hand, for tests and previews.
    public init(_ numbers: some Sequence<Double> = []) {
        var bytes = Data()
        for number in numbers { Swift.withUnsafeBytes(of: number.bitPattern.littleEndian) { bytes.append(contentsOf: $0) } }
        self.bytes = bytes
    }

    public var startIndex: Int { 0 }

    public var endIndex: Int { bytes.count / 8 }

    public subscript(position: Int) -> Double {
        precondition(indices.contains(position), "index out of range")
        return bytes.withUnsafeBytes { buffer in
            Double(bitPattern: UInt64(littleEndian: buffer.loadUnaligned(fromByteOffset: position * 8, as: UInt64.self)))
        }
    }

    /// The numbers without a copy, where the machine is little endian and the buffer lies as numbers must; both hold on every
    /// platform of this package.
    public func withContiguousStorageIfAvailable<Result>(_ body: (UnsafeBufferPointer<Double>) throws -> Result) rethrows -> Result? {
        guard UInt16(littleEndian: 1) == 1 else { return nil }
        return try bytes.withUnsafeBytes { buffer -> Result? in
            guard Int(bitPattern: buffer.baseAddress) % MemoryLayout<Double>.alignment == 0 else { return nil }
            return try body(buffer.bindMemory(to: Double.self))
        }
    }
}

/// As a list of numbers; a gap is null.
extension Series: Codable {
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode([Double?].self).map { $0 ?? .nan })
    }

    public func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(map { $0.isNaN ? nil : $0 })
    }
}

extension Series: ExpressibleByArrayLiteral {
    public init(arrayLiteral numbers: Double...) { self.init(numbers) }
}

extension Series: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The length, without values.
    public var description: String { "Series(\(count) numbers)" }

    /// Same as `description`.
    public var debugDescription: String { description }

    /// An empty mirror, so that `dump` shows no values.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
