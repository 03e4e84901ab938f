import Foundation

/// A series of doubles, kept as the one buffer it crossed in: little endian, eight bytes a number.
public struct Series: RandomAccessCollection, Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    let bytes: Data

    init(bytes: Data) { self.bytes = bytes }

    public var startIndex: Int { 0 }

    public var endIndex: Int { bytes.count / 8 }

    public subscript(position: Int) -> Double {
        precondition(indices.contains(position), "index out of range")
        return bytes.withUnsafeBytes { buffer in
            Double(bitPattern: UInt64(littleEndian: buffer.loadUnaligned(fromByteOffset: position * 8, as: UInt64.self)))
        }
    }

    /// Shows the length, no values.
    public var description: String { "Series(\(count) numbers)" }

    /// Shows no values to `dump` either.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
