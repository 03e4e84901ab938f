//! Detects file types by their content. File names are not used.

/// Returns the MIME type of a file. `None` for plain text and unknown formats.
pub(crate) fn detect(bytes: &[u8]) -> Option<&'static str> {
    infer::get(bytes).map(|kind| kind.mime_type())
}

/// Picture formats that are analysed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PictureFormat {
    Jpeg,
    Png,
    WebP,
}

pub(crate) fn picture_format(bytes: &[u8]) -> Option<PictureFormat> {
    match detect(bytes)? {
        "image/jpeg" => Some(PictureFormat::Jpeg),
        "image/png" => Some(PictureFormat::Png),
        "image/webp" => Some(PictureFormat::WebP),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::PictureFormat::{Jpeg, Png, WebP};
    use super::*;

    #[test]
    fn formats_are_detected_by_their_first_bytes() {
        assert_eq!(picture_format(&[0xff, 0xd8, 0xff, 0xe0]), Some(Jpeg));
        assert_eq!(picture_format(b"\x89PNG\r\n\x1a\n..."), Some(Png));
        assert_eq!(picture_format(b"RIFF\0\0\0\0WEBPVP8 "), Some(WebP));
        for other in [&b"RIFF\0\0\0\0WAVE"[..], b"GIF89a......", b"\0\0\0\x18ftypheic", b"%PDF-1.7", b"", b"text"] {
            assert_eq!(picture_format(other), None);
        }
        assert_eq!(detect(b"%PDF-1.7"), Some("application/pdf"));
        assert_eq!(detect(b"GIF89a......"), Some("image/gif"));
        assert_eq!(detect(b"White Blood Count 7.2"), None);
    }
}
