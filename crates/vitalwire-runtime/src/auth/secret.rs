//! Cleaning and validation of secrets that come from files, variables and commands.
//!
//! A leading byte order mark and trailing line ends are removed. Anything else that cannot be part of a secret is an error. Its text names
//! the problem but contains nothing of the secret.

use crate::value::decode::without_byte_order_mark;

/// Pairs of quotes that shells, `.env` files and word processors put around a text.
const QUOTES: [(char, char); 5] = [('"', '"'), ('\'', '\''), ('`', '`'), ('\u{201c}', '\u{201d}'), ('\u{2018}', '\u{2019}')];

/// Authentication scheme before a token in a header.
const SCHEME: &str = "bearer";

/// Reasons for rejecting a key, worded for one kind of key.
pub struct KeyErrors {
    quotes: &'static str,
    scheme: &'static str,
    white_space: &'static str,
    line_break: &'static str,
}

macro_rules! key_errors {
    ($key:literal) => {
        KeyErrors {
            quotes: concat!($key, " is in quotes; remove them"),
            scheme: concat!($key, " begins with `Bearer `; remove that"),
            white_space: concat!($key, " begins or ends with white space; remove it"),
            line_break: concat!($key, " must be one line; remove the line break"),
        }
    };
}

/// Reasons for rejecting a webhook key.
pub const WEBHOOK_KEY: KeyErrors = key_errors!("the webhook key");
/// Reasons for rejecting an application key.
pub const APPLICATION_KEY: KeyErrors = key_errors!("the application key");

/// Removes a leading byte order mark and all trailing line ends. Returns bytes that are not UTF-8 unchanged.
#[must_use]
pub fn trim(secret: &[u8]) -> &[u8] {
    if std::str::from_utf8(secret).is_err() {
        return secret;
    }
    let mut text = without_byte_order_mark(secret);
    while let [rest @ .., b'\n' | b'\r'] = text {
        text = rest;
    }
    text
}

/// Trims a signing key with [`trim`] and validates it. White space within a key is allowed, because the service documents no alphabet.
///
/// # Errors
/// The reason why the key is invalid.
pub fn check_key<'a>(key: &'a [u8], errors: &KeyErrors) -> Result<&'a [u8], &'static str> {
    let key = trim(key);
    let Ok(text) = std::str::from_utf8(key) else { return Ok(key) };
    if is_quoted(text.trim()) {
        return Err(errors.quotes);
    }
    if has_scheme(text.trim_start()) {
        return Err(errors.scheme);
    }
    if text != text.trim() {
        return Err(errors.white_space);
    }
    if text.contains(['\n', '\r']) {
        return Err(errors.line_break);
    }
    Ok(key)
}

/// Trims a token, white space included, and rejects what an `Authorization` header cannot carry.
pub(super) fn check_token(token: &str) -> Result<&str, &'static str> {
    let token = token.strip_prefix('\u{feff}').unwrap_or(token).trim_ascii();
    if token.is_empty() {
        return Err("the token must not be empty");
    }
    if is_quoted(token) {
        return Err("the token is in quotes; remove them");
    }
    if has_scheme(token) {
        return Err("the token begins with `Bearer `; remove that");
    }
    if token.contains(char::is_whitespace) {
        return Err("the token must not contain white space");
    }
    if token.contains(char::is_control) {
        return Err("the token must not contain control characters");
    }
    if !token.is_ascii() {
        return Err("the token must be ASCII");
    }
    Ok(token)
}

fn is_quoted(text: &str) -> bool {
    QUOTES.iter().any(|(open, close)| text.strip_prefix(*open).is_some_and(|rest| rest.ends_with(*close)))
}

fn has_scheme(text: &str) -> bool {
    let (scheme, rest) = text.split_at_checked(SCHEME.len()).unwrap_or_default();
    scheme.eq_ignore_ascii_case(SCHEME) && rest.starts_with(char::is_whitespace)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_byte_order_marks_and_line_ends_are_trimmed() {
        for (secret, trimmed) in [
            ("canary", "canary"),
            ("canary\n", "canary"),
            ("canary\r\n", "canary"),
            ("canary\n\n", "canary"),
            ("\u{feff}canary\r\n", "canary"),
            ("canary \n", "canary "),
            ("\ncanary", "\ncanary"),
            ("\r\n", ""),
        ] {
            assert_eq!(trim(secret.as_bytes()), trimmed.as_bytes(), "{secret:?}");
        }
        assert_eq!(trim(b"\x00\xff\n"), b"\x00\xff\n");
    }

    #[test]
    fn a_key_is_one_line_without_quotes_scheme_or_white_space() {
        for key in ["canary", "canary key", "can\"ary", "\"canary", "'", "bearercanary", "\u{fc}canary", ""] {
            assert_eq!(check_key(format!("\u{feff}{key}\r\n").as_bytes(), &WEBHOOK_KEY), Ok(key.as_bytes()), "{key}");
        }
        for (key, reason) in [
            ("\"canary\"", "quotes"),
            ("'canary'\n", "quotes"),
            (" \"canary\" ", "quotes"),
            ("`canary`", "quotes"),
            ("\u{201c}canary\u{201d}", "quotes"),
            ("\u{2018}canary\u{2019}", "quotes"),
            ("\"\"", "quotes"),
            ("Bearer canary", "`Bearer `"),
            ("bearer\tcanary", "`Bearer `"),
            (" canary", "white space"),
            ("canary ", "white space"),
            ("canary\t\n", "white space"),
            ("\ncanary", "white space"),
            ("\u{a0}canary", "white space"),
            ("canary\ncanary", "line break"),
        ] {
            let error = check_key(key.as_bytes(), &APPLICATION_KEY).unwrap_err();
            assert!(error.starts_with("the application key ") && error.contains(reason) && !error.contains("canary"), "{key:?}: {error}");
        }
    }

    #[test]
    fn a_token_is_valid_in_a_header() {
        for token in ["canary", " canary\r\n", "\u{feff}canary\n", "\tcanary", "can\"ary", "bearer", "Bearercanary"] {
            assert!(check_token(token).is_ok_and(|token| token == token.trim() && token.is_ascii()), "{token:?}");
        }
        for (token, reason) in [
            ("", "must not be empty"),
            (" \n", "must not be empty"),
            ("\u{feff}\n", "must not be empty"),
            ("\"canary\"\n", "in quotes"),
            ("'canary'", "in quotes"),
            ("\u{201c}canary\u{201d}", "in quotes"),
            ("Bearer canary", "begins with `Bearer `"),
            ("BEARER  canary\n", "begins with `Bearer `"),
            ("\"Bearer canary\"", "in quotes"),
            ("canary canary", "white space"),
            ("canary\ncanary", "white space"),
            ("canary\u{a0}canary", "white space"),
            ("canary\0", "control character"),
            ("canary\u{fc}", "must be ASCII"),
        ] {
            let error = check_token(token).unwrap_err();
            assert!(error.starts_with("the token ") && error.contains(reason) && !error.contains("canary"), "{token:?}: {error}");
        }
    }
}
