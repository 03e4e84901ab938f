//! Detects file types by their content. File names are not used.

/// Returns the MIME type of a file. `None` for plain text and unknown formats.
pub(crate) fn detect(bytes: &[u8]) -> Option<&'static str> {
    infer::get(bytes).map(|kind| kind.mime_type())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_detected_by_their_first_bytes() {
        assert_eq!(detect(&[0xff, 0xd8, 0xff, 0xe0]), Some("image/jpeg"));
        assert_eq!(detect(b"\x89PNG\r\n\x1a\n..."), Some("image/png"));
        assert_eq!(detect(b"RIFF\0\0\0\0WEBPVP8 "), Some("image/webp"));
        for other in [&b"RIFF\0\0\0\0WAVE"[..], b"GIF89a......", b"\0\0\0\x18ftypheic", b"%PDF-1.7", b"", b"text"] {
            assert!(!matches!(detect(other), Some("image/jpeg" | "image/png" | "image/webp")));
        }
        assert_eq!(detect(b"%PDF-1.7"), Some("application/pdf"));
        assert_eq!(detect(b"GIF89a......"), Some("image/gif"));
        assert_eq!(detect(b"White Blood Count 7.2"), None);
    }
}
