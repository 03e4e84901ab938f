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
/// Starts of the media types of files.
const MEDIA_TYPES: [&str; 8] = ["application/", "audio/", "font/", "image/", "message/", "multipart/", "text/", "video/"];
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
    let head = head[..comma].to_ascii_lowercase();
    // A text may begin with a word for "date", as in `Data:21/11/2025,`.
    let is_typed = MEDIA_TYPES.iter().any(|media_type| head.starts_with(media_type.as_bytes())) || head.ends_with(b";base64");
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
mod tests;
