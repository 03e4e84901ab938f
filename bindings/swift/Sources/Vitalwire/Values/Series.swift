import Foundation

/// A series of numbers in one contiguous buffer. A missing number is NaN.
public struct Series: RandomAccessCollection, Hashable, Sendable {
    /// Numbers as little-endian doubles of eight bytes.
    let bytes: Data

    init(bytes: Data) { self.bytes = bytes }

    /// Creates a series, for tests and previews.
    public init(_ numbers: some Sequence<Double> = []) {
        var bytes = Data()
        for number in numbers { Swift.withUnsafeBytes(of: number.bitPattern.littleEndian) { bytes.append(contentsOf: $0) } }
        self.bytes = bytes
    }

    public var startIndex: Int { 0 }

    public var endIndex: Int { bytes.count / 8 }

    public subscript(position: Int) -> Double {
        precondition(indices.contains(position), "the index must be within `indices`")
        return bytes.withUnsafeBytes { buffer in
            Double(bitPattern: UInt64(littleEndian: buffer.loadUnaligned(fromByteOffset: position * 8, as: UInt64.self)))
        }
    }

    /// Calls a closure with the numbers, without copying them.
    ///
    /// Requires a little-endian machine and an aligned buffer, which every supported platform has. Otherwise returns `nil`.
    public func withContiguousStorageIfAvailable<Result>(_ body: (UnsafeBufferPointer<Double>) throws -> Result) rethrows -> Result? {
        guard UInt16(littleEndian: 1) == 1 else { return nil }
        return try bytes.withUnsafeBytes { buffer -> Result? in
            guard Int(bitPattern: buffer.baseAddress) % MemoryLayout<Double>.alignment == 0 else { return nil }
            return try body(buffer.bindMemory(to: Double.self))
        }
    }
}

/// Conversion from and to a list of numbers. A missing number is null.
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
