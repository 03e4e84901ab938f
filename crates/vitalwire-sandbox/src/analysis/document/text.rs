//! Decodes text of an unknown encoding.

/// Decodes a file without a format of its own. Returns `None` if it is binary.
pub(super) fn decode(bytes: &[u8]) -> Option<String> {
    let text = if let Some(rest) = bytes.strip_prefix(&[0xff, 0xfe]) {
        decode_utf16(rest, u16::from_le_bytes)?
    } else if let Some(rest) = bytes.strip_prefix(&[0xfe, 0xff]) {
        decode_utf16(rest, u16::from_be_bytes)?
    } else {
        let bytes = bytes.strip_prefix(&[0xef, 0xbb, 0xbf]).unwrap_or(bytes);
        // Text that is not UTF-8 is decoded as Latin-1, in which every byte is a character.
        std::str::from_utf8(bytes).map_or_else(|_| bytes.iter().map(|byte| char::from(*byte)).collect(), str::to_owned)
    };
    let control_characters = text.chars().filter(|char| char.is_control() && !matches!(char, '\n' | '\r' | '\t' | '\u{c}')).count();
    (control_characters == 0 && !text.trim().is_empty()).then_some(text)
}

fn decode_utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Option<String> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let units: Vec<u16> = pairs.iter().map(|pair| unit(*pair)).collect();
    if rest.is_empty() { String::from_utf16(&units).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_are_detected() {
        assert_eq!(decode("Hämoglobin 13,5".as_bytes()).as_deref(), Some("Hämoglobin 13,5"));
        assert_eq!(decode(b"H\xe4moglobin 13,5").as_deref(), Some("Hämoglobin 13,5"));
        assert_eq!(decode(b"\xff\xfeH\0b\0").as_deref(), Some("Hb"));
        assert_eq!(decode(b"\xfe\xff\0H\0b").as_deref(), Some("Hb"));
        assert_eq!(decode(b"\xef\xbb\xbfHb").as_deref(), Some("Hb"));
        for binary in [&b"\0\x01\x02"[..], b"a\x07", b"\xff\xfeH", b"", b" \n"] {
            assert_eq!(decode(binary), None);
        }
    }
}
