//! Path parameters.

use std::fmt::Write;

use crate::error::Error;
use crate::transport::MAX_URL_BYTES;

/// Encodes a path parameter as one segment. Letters, digits and `-._~` are not encoded.
///
/// Rejects texts that could address another path: control characters, an empty text, and the dot segments `.` and `..`. An empty id would
/// request the list instead of a record, and dot segments have their meaning even when encoded. Rejects texts longer than any URL.
pub fn encode_path(argument: &'static str, text: &str) -> Result<String, Error> {
    if text.is_empty() {
        return Err(Error::invalid_argument(argument, "must not be empty"));
    }
    if text == "." || text == ".." {
        return Err(Error::invalid_argument(argument, "must not be . or .."));
    }
    if text.chars().any(char::is_control) {
        return Err(Error::invalid_argument(argument, "must not contain control characters"));
    }
    let too_long = || Error::invalid_argument(argument, "must fit into a URL");
    // Encoding never shortens the text, so reject a huge one before copying it.
    if text.len() > MAX_URL_BYTES {
        return Err(too_long());
    }
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            // Writing to a `String` cannot fail.
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    if encoded.len() > MAX_URL_BYTES { Err(too_long()) } else { Ok(encoded) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parameter_stays_one_path_segment() {
        assert_eq!(encode_path("id", "a/b\\c d%2e?#").unwrap(), "a%2Fb%5Cc%20d%252e%3F%23");
        assert_eq!(encode_path("id", "é…").unwrap(), "%C3%A9%E2%80%A6");
        assert_eq!(encode_path("id", "...").unwrap(), "...");
    }

    #[test]
    fn texts_longer_than_a_url_are_rejected() {
        assert_eq!(encode_path("id", &"x".repeat(MAX_URL_BYTES)).unwrap().len(), MAX_URL_BYTES);
        for text in ["x".repeat(MAX_URL_BYTES + 1), "/".repeat(MAX_URL_BYTES / 3 + 1)] {
            let error = encode_path("sleep_id", &text).unwrap_err();
            assert_eq!((error.kind(), error.argument()), (crate::error::ErrorKind::InvalidArgument, Some("sleep_id")));
        }
    }

    #[test]
    fn empty_texts_dot_segments_and_control_characters_are_rejected() {
        for hostile in ["", ".", "..", "a\nb", "\u{7f}", "a\0"] {
            let error = encode_path("sleep_id", hostile).unwrap_err();
            assert_eq!((error.kind(), error.argument()), (crate::error::ErrorKind::InvalidArgument, Some("sleep_id")));
        }
    }
}
