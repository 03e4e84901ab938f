//! Detection of files passed in an unsupported form: base64 text, a data URL, or content in place of a path.
//!
//! Every function returns the reason for rejecting an argument. The reason never contains any part of it.

use base64::Engine;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

/// Reason for rejecting an argument.
type Reason = &'static str;

/// Reason for an empty file.
pub const EMPTY_FILE: Reason = "the file is empty";
const BASE64: Reason = "is base64 text; decode it and pass the bytes";
const DATA_URL: Reason = "is a data URL; decode the base64 text after its comma and pass the bytes";
const NOT_A_PATH: Reason = "is not a path; pass the content of a file as bytes";

/// Number of base64 characters that are decoded to detect the type of a file.
const SIGNATURE_CHARS: usize = 32;
/// Minimum length of base64 text without a recognized file type.
const MIN_BASE64_TEXT: usize = 64;
/// Maximum length of the part of a data URL before its comma, in bytes.
const MAX_DATA_URL_HEAD: usize = 256;
/// Maximum length of a path, and of one component, in characters.
const MAX_PATH: usize = 4096;
const MAX_COMPONENT: usize = 255;
/// Length above which a path may be base64 text, in bytes.
const MIN_BASE64_PATH: usize = 100;
/// Maximum number of path components that are examined.
const MAX_COMPONENTS: usize = 64;

/// Creates a lenient base64 decoder: padding and trailing bits are ignored.
const fn lenient_engine(alphabet: &alphabet::Alphabet) -> GeneralPurpose {
    let config = GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent).with_decode_allow_trailing_bits(true);
    GeneralPurpose::new(alphabet, config)
}

const STANDARD: GeneralPurpose = lenient_engine(&alphabet::STANDARD);
const URL_SAFE: GeneralPurpose = lenient_engine(&alphabet::URL_SAFE);

/// Detects a data URL, or base64 text of a file type with a known signature.
#[must_use]
pub fn detect_encoded_file(content: &[u8]) -> Option<Reason> {
    let content = trim_quotes(content);
    if is_data_url(content) {
        return Some(DATA_URL);
    }
    (has_file_signature(content) && is_base64(content)).then_some(BASE64)
}

/// Detects any long base64 text. Use it for files that are never text.
#[must_use]
pub fn detect_base64_text(content: &[u8]) -> Option<Reason> {
    let content = trim_quotes(content);
    (content.len() >= MIN_BASE64_TEXT && is_varied(content) && is_base64(content)).then_some(BASE64)
}

/// Detects text that is not a plausible path: a data URL, base64 text, or content of a file.
///
/// A real file can have almost any name. Call this only after opening the file has failed.
#[must_use]
pub fn detect_invalid_path(text: &str) -> Option<Reason> {
    // Libraries may have prepended the working directory to a supposedly relative path.
    let starts = text.match_indices(['/', '\\']).map(|(at, _)| &text.as_bytes()[at + 1..]).take(MAX_COMPONENTS);
    if let Some(reason) = std::iter::once(text.as_bytes()).chain(starts).find_map(detect_encoded_file) {
        return Some(reason);
    }
    let components = || text.split(['/', '\\']);
    let is_long = text.chars().nth(MAX_PATH).is_some() || components().any(|part| part.chars().nth(MAX_COMPONENT).is_some());
    let is_path = !is_long && !text.chars().any(char::is_control);
    let is_text = text.len() > MIN_BASE64_PATH && components().any(|part| part.len() >= MIN_BASE64_TEXT / 2 && is_varied(part.as_bytes()));
    match is_text && is_base64(trim_quotes(text.as_bytes())) {
        true => Some(BASE64),
        false => (!is_path).then_some(NOT_A_PATH),
    }
}

/// Removes a byte order mark, white space and quotation marks around the content.
fn trim_quotes(content: &[u8]) -> &[u8] {
    let content = content.strip_prefix(b"\xef\xbb\xbf").unwrap_or(content).trim_ascii();
    let content = content.strip_prefix(b"b'").unwrap_or(content);
    let content = content.strip_prefix(b"\"").or(content.strip_prefix(b"'")).unwrap_or(content);
    content.strip_suffix(b"\"").or(content.strip_suffix(b"'")).unwrap_or(content)
}

/// Whether the content begins like a data URL of a file: `data:`, a media type or `;base64`, and a comma.
fn is_data_url(content: &[u8]) -> bool {
    let Some((scheme, rest)) = content.split_at_checked(b"data:".len()) else { return false };
    let head = &rest[..rest.len().min(MAX_DATA_URL_HEAD)];
    let Some(comma) = head.iter().position(|byte| *byte == b',') else { return false };
    let head = &head[..comma];
    let is_typed = head.contains(&b'/') || head.to_ascii_lowercase().ends_with(b";base64");
    scheme.eq_ignore_ascii_case(b"data:") && is_typed && !head.iter().any(u8::is_ascii_whitespace)
}

/// Whether the first characters are base64 text of a file with a known signature.
fn has_file_signature(content: &[u8]) -> bool {
    let head: Vec<u8> =
        content.iter().copied().filter(|byte| !is_line_end(*byte)).take_while(|byte| *byte != b'=').take(SIGNATURE_CHARS).collect();
    let whole = head.len() - usize::from(head.len() % 4 == 1);
    let Ok(bytes) = STANDARD.decode(&head[..whole]).or_else(|_| URL_SAFE.decode(&head[..whole])) else { return false };
    // Types with short signatures, such as the two bytes of BMP, are excluded: ordinary words could decode to them.
    infer::get(&bytes).is_some_and(|kind| match kind.mime_type() {
        "application/pdf" | "application/zip" | "text/xml" | "text/html" => true,
        "image/bmp" | "image/jxr" | "image/vnd.microsoft.icon" => false,
        other => other.starts_with("image/"),
    })
}

/// Whether the content consists of base64 characters, line ends and padding, in either alphabet.
fn is_base64(content: &[u8]) -> bool {
    let padding = content.iter().rev().take_while(|byte| **byte == b'=' || is_line_end(**byte)).count();
    let text = &content[..content.len() - padding];
    !text.is_empty() && text.iter().all(|byte| byte.is_ascii_alphanumeric() || b"+/-_".contains(byte) || is_line_end(*byte))
}

/// Whether the first characters include upper case, lower case and digits, as base64 text does.
fn is_varied(content: &[u8]) -> bool {
    let head = &content[..content.len().min(4 * MIN_BASE64_TEXT)];
    head.iter().any(u8::is_ascii_uppercase) && head.iter().any(u8::is_ascii_lowercase) && head.iter().any(u8::is_ascii_digit)
}

fn is_line_end(byte: u8) -> bool {
    byte == b'\r' || byte == b'\n'
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Signatures of the file formats, from their specifications.
    const FILES: [&[u8]; 6] = [
        b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01",
        b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
        b"RIFF\x24\x00\x00\x00WEBPVP8 ",
        b"GIF89a\x01\x00\x01\x00",
        b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic",
        b"%PDF-1.7\n",
    ];

    #[test]
    fn base64_text_of_files_is_detected_in_every_form() {
        for file in FILES {
            assert_eq!(detect_encoded_file(file), None);
            let file: Vec<u8> = file.iter().copied().chain(b"canary>>>???".repeat(40)).collect();
            let text = base64::engine::general_purpose::STANDARD.encode(&file);
            let lines: Vec<&str> = text.as_bytes().chunks(76).map(|line| std::str::from_utf8(line).unwrap()).collect();
            let forms = [
                text.clone(),
                lines.join("\r\n") + "\r\n",
                text.trim_end_matches('=').to_owned(),
                base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(&file),
                format!("\u{feff} \"{text}\"\n"),
                format!("b'{text}'"),
            ];
            for form in forms {
                assert_eq!((detect_encoded_file(form.as_bytes()), detect_invalid_path(&form)), (Some(BASE64), Some(BASE64)), "{form}");
                assert!(detect_invalid_path(&format!("/home/app/{form}")).is_some(), "{form}");
            }
            for url in [format!("data:image/jpeg;base64,{text}"), format!("DATA:;base64,{text}"), format!("data:text/plain,{text}")] {
                assert_eq!((detect_encoded_file(url.as_bytes()), detect_invalid_path(&url)), (Some(DATA_URL), Some(DATA_URL)), "{url}");
                assert_eq!(detect_invalid_path(&format!("/home/app/{url}")), Some(DATA_URL), "{url}");
            }
            assert_eq!(detect_encoded_file(format!("{text} and more").as_bytes()), None, "a text file about base64");
        }
    }

    #[test]
    fn content_of_unknown_types_is_accepted() {
        for content in ["", "=", "Qk0=", "no picture at all", "data: 5, 6", "data:5", "HDL 1.4 mmol/L", "JVBERi is how PDF begins", "A"] {
            assert_eq!(detect_encoded_file(content.as_bytes()), None, "{content}");
        }
        let text = base64::engine::general_purpose::STANDARD.encode("canary of no known type, 12345".repeat(9));
        assert_eq!((detect_encoded_file(text.as_bytes()), detect_base64_text(text.as_bytes())), (None, Some(BASE64)));
        assert_eq!((detect_base64_text("a".repeat(500).as_bytes()), detect_base64_text(b"Lunch1")), (None, None));
    }

    #[test]
    fn plausible_paths_are_accepted() {
        let deep = "/data/user/0/org.example.app/files/Pictures/2025/11/20/lunch/with/friends/in/Berlin/Mitte/near/the/river/IMG0001";
        let hash = format!("/var/cache/{}/{}", "0123456789abcdef".repeat(4), "0123456789abcdef".repeat(4));
        let wide = "ü".repeat(255);
        for path in ["lunch.jpg", "", "/", "C:\\Users\\Ida\\lunch.jpg", "data:", "9j/4AAQ", "a b c", deep, &hash, &wide] {
            assert_eq!(detect_invalid_path(path), None, "{path}");
        }
    }

    #[test]
    fn content_is_rejected_as_a_path() {
        let long = "HDL 1.4 mmol/L, ".repeat(70_000);
        for text in ["HDL\n1.4", "lunch\0.jpg", &"ü".repeat(256), &"a/".repeat(2_100), &long] {
            assert_eq!(detect_invalid_path(text), Some(NOT_A_PATH));
        }
        let text = base64::engine::general_purpose::STANDARD.encode("canary of no known type, 12345".repeat(9));
        assert_eq!(detect_invalid_path(&text), Some(BASE64));
    }
}
