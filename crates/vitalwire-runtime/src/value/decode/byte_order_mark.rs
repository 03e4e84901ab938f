//! The byte order mark that some servers and editors write before UTF-8 text.

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Removes one leading byte order mark, as RFC 8259 (section 8.1) allows.
#[must_use]
pub fn without_byte_order_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_leading_mark_is_removed() {
        for (text, rest) in [
            ("", ""),
            ("{}", "{}"),
            ("\u{feff}", ""),
            ("\u{feff}{}", "{}"),
            ("\u{feff}\u{feff}{}", "\u{feff}{}"),
            (" \u{feff}", " \u{feff}"),
        ] {
            assert_eq!(without_byte_order_mark(text.as_bytes()), rest.as_bytes(), "{text:?}");
        }
        assert_eq!(without_byte_order_mark(b"\xef\xbb"), b"\xef\xbb");
    }
}
