//! Reader of uniffi's data in Swift. uniffi's own reader copies each text and buffer into an array and back, and calls `Data` for every
//! number. Reading a record then takes longer than parsing its JSON. This reader reads in place.

use anyhow::ensure;

/// Parts of uniffi's code and their replacements.
const REPLACEMENTS: [(&str, &str); 6] = [
    ("(data: Data, offset: Data.Index)", "(data: UnsafeRawBufferPointer, offset: Int)"),
    (
        "fileprivate extension Data {
    init(rustBuffer: RustBuffer) {
        self.init(
            bytesNoCopy: rustBuffer.data!,
            count: Int(rustBuffer.len),
            deallocator: .none
        )
    }
}",
        "fileprivate extension UnsafeRawBufferPointer {
    init(rustBuffer: RustBuffer) {
        self.init(start: rustBuffer.data, count: Int(rustBuffer.len))
    }
}",
    ),
    ("createReader(data: Data(rustBuffer: buf))", "createReader(data: UnsafeRawBufferPointer(rustBuffer: buf))"),
    ("createReader(data: Data)", "createReader(data: UnsafeRawBufferPointer)"),
    (
        "    if T.self == UInt8.self {
        let value = reader.data[reader.offset]
        reader.offset += 1
        return value as! T
    }
    var value: T = 0
    let _ = withUnsafeMutableBytes(of: &value, { reader.data.copyBytes(to: $0, from: range)})
",
        "    let value = reader.data.loadUnaligned(fromByteOffset: reader.offset, as: T.self)
",
    ),
    (
        "-> Array<UInt8> {
    let range = reader.offset..<(reader.offset+count)
    guard reader.data.count >= range.upperBound else {
        throw UniffiInternalError.bufferOverflow
    }
    var value = [UInt8](repeating: 0, count: count)
    value.withUnsafeMutableBufferPointer({ buffer in
        reader.data.copyBytes(to: buffer, from: range)
    })
    reader.offset = range.upperBound
    return value
",
        "-> UnsafeRawBufferPointer {
    // Valid until `lift` frees the buffer, which it does after reading all of it.
    let range = reader.offset..<(reader.offset+count)
    guard reader.data.count >= range.upperBound else {
        throw UniffiInternalError.bufferOverflow
    }
    reader.offset = range.upperBound
    return UnsafeRawBufferPointer(rebasing: reader.data[range])
",
    ),
];

/// Returns uniffi's Swift code with our reader.
///
/// # Errors
/// If uniffi's code has changed.
pub(super) fn replace_reader(text: &str) -> anyhow::Result<String> {
    let mut text = text.to_owned();
    for (theirs, ours) in REPLACEMENTS {
        ensure!(text.contains(theirs), "uniffi's reader has changed: update REPLACEMENTS in {}, which expects:\n{theirs}", file!());
        text = text.replace(theirs, ours);
    }
    Ok(text)
}
