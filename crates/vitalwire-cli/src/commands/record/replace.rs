//! Replaces credentials and ids. Equal values get equal replacements everywhere.

use std::collections::HashMap;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;

use super::encodings::encoded_forms;
use super::json;

/// Minimum length of values that are replaced inside longer texts. Shorter ones occur by chance: `7` is part of many numbers.
const MIN_WITHIN_TEXT: usize = 6;
/// Minimum length of credentials whose encoded forms are replaced too.
const MIN_ENCODED: usize = 8;
/// Minimum length of credentials that are replaced inside words too.
const MIN_WITHIN_WORD: usize = 16;
/// Numeric ids are replaced by numbers above this.
const MIN_REPLACEMENT_NUMBER: usize = 900_000;
/// Maximum length of a recorded upload field. Uploaded files are longer, and left out.
const MAX_UPLOAD: usize = 256;

/// The kind of a sensitive value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ValueKind {
    Credential,
    Id,
}

/// Returns the kind of value for the name of a field, a path parameter or a query parameter.
fn value_kind(name: &str) -> Option<ValueKind> {
    match name {
        "signature" | "password" | "secret" | "key" | "code" | "authorization" => Some(ValueKind::Credential),
        _ if name.ends_with("token") || name.ends_with("_key") || name.ends_with("_secret") => Some(ValueKind::Credential),
        "id" | "uid" | "state" | "email_address" | "phone_number" | "instance" => Some(ValueKind::Id),
        _ if name.ends_with("_id") || name.ends_with("_ids") => Some(ValueKind::Id),
        _ => None,
    }
}

/// A value to replace inside longer texts.
struct InsideText {
    value: String,
    replacement: String,
    /// Whether it is replaced inside words too.
    inside_words: bool,
}

/// All values replaced so far.
#[derive(Default)]
pub(super) struct Replacements {
    known: HashMap<String, String>,
    /// Values to replace inside longer texts, the longest first.
    inside_text: Vec<InsideText>,
}

impl Replacements {
    /// Returns the number of known values. After an increase, earlier files must be searched again.
    pub(super) fn count(&self) -> usize {
        self.known.len()
    }

    /// Returns the replacement of a credential.
    pub(super) fn credential(&mut self, value: &str) -> String {
        self.replacement(value, ValueKind::Credential)
    }

    /// Returns the replacement of an id.
    pub(super) fn id(&mut self, value: &str) -> String {
        self.replacement(value, ValueKind::Id)
    }

    fn replacement(&mut self, value: &str, value_kind: ValueKind) -> String {
        // `include_record_ids=true` contains no id.
        if matches!(value, "" | "true" | "false") {
            return value.to_owned();
        }
        if let Some(known) = self.known.get(value) {
            return known.clone();
        }
        let number = self.known.len() + 1;
        let replacement = match value_kind {
            _ if self.known.values().any(|replacement| replacement == value) => return value.to_owned(),
            _ if is_uuid(value) => format!("00000000-0000-4000-8000-{number:012}"),
            _ if value.bytes().all(|byte| byte.is_ascii_digit()) => (MIN_REPLACEMENT_NUMBER + number).to_string(),
            ValueKind::Credential => format!("credential-{number}"),
            ValueKind::Id => format!("id-{number}"),
        };
        self.known.insert(value.to_owned(), replacement.clone());
        if value.len() >= MIN_WITHIN_TEXT {
            let is_credential = value_kind == ValueKind::Credential;
            let forms = if is_credential && value.len() >= MIN_ENCODED { encoded_forms(value) } else { Vec::new() };
            let entry = |inside_words| {
                let replacement = replacement.clone();
                move |value| InsideText { value, replacement: replacement.clone(), inside_words }
            };
            self.inside_text.extend(forms.into_iter().map(entry(true)));
            self.inside_text.push(entry(is_credential && value.len() >= MIN_WITHIN_WORD)(value.to_owned()));
            self.inside_text.sort_by_key(|entry| std::cmp::Reverse(entry.value.len()));
        }
        replacement
    }

    /// Replaces values in a JSON body.
    pub(super) fn json(&mut self, text: &str) -> String {
        json::rewrite(text, |name, written| {
            if name == json::KEY {
                return None;
            }
            let Some(value) = serde_json::from_str::<String>(written).ok().filter(|_| written.starts_with('"')) else {
                // A number.
                return value_kind(name).filter(|_| written.bytes().all(|byte| byte.is_ascii_digit())).map(|_| self.id(written));
            };
            let replacement = match value_kind(name) {
                Some(ValueKind::Credential) => self.credential(&value),
                Some(ValueKind::Id) => self.id(&value),
                None if name == "body" && value.len() > MAX_UPLOAD => "left out".to_owned(),
                // Consent URLs contain a token.
                None if name == "path" && value.contains("://") => {
                    format!("https://service.example/{}", self.credential(&value))
                }
                None => self.text(&value),
            };
            (replacement != value).then(|| serde_json::Value::from(replacement).to_string())
        })
    }

    /// Replaces values in an encoded query.
    pub(super) fn query(&mut self, query: &str) -> String {
        let pairs = query.split('&').filter(|pair| !pair.is_empty()).map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            match value_kind(name) {
                Some(value_kind) => format!("{name}={}", self.replacement(&percent_decode(value), value_kind)),
                None => {
                    let plain = percent_decode(value);
                    let replacement = self.text(&plain);
                    if replacement == plain { pair.to_owned() } else { format!("{name}={replacement}") }
                }
            }
        });
        pairs.collect::<Vec<_>>().join("&")
    }

    /// Replaces the parameters of a path. Without a template, replaces every segment that has a digit, except versions.
    pub(super) fn path(&mut self, path: &str, template: Option<&str>) -> String {
        let mut names = template.map(|template| template.split('/'));
        let parts = path.split('/').map(|part| {
            let name = names.as_mut().and_then(Iterator::next);
            let is_id = match name {
                Some(name) => name.starts_with('{') && name != "{provider_slug}",
                None => part.bytes().any(|byte| byte.is_ascii_digit()) && !is_version(part),
            };
            if is_id { self.id(&percent_decode(part)) } else { part.to_owned() }
        });
        parts.collect::<Vec<_>>().join("/")
    }

    /// Replaces known values in bytes that are no text.
    pub(super) fn bytes(&self, bytes: &[u8]) -> Vec<u8> {
        let text: String = bytes.iter().copied().map(char::from).collect();
        // Replacements are ASCII, so no character is beyond a byte.
        self.replace_known(&text).chars().filter_map(|character| u8::try_from(character).ok()).collect()
    }

    /// Replaces known values in the text of a recorded exchange: in all texts, names of fields, numbers and encoded bytes.
    pub(super) fn redact(&self, exchange: &str) -> String {
        // Values in escaped texts and encoded bytes are found only after decoding, which takes much longer.
        let is_encoded = exchange.contains('\\') || exchange.contains("\"base64\"");
        if !is_encoded && !self.inside_text.iter().any(|entry| exchange.contains(&entry.value)) {
            return exchange.to_owned();
        }
        json::rewrite(exchange, |name, written| {
            let Ok(value) = serde_json::from_str::<String>(written) else {
                let replaced = self.replace_known(written);
                return Some(replaced).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
            };
            let replaced = match BASE64_STANDARD.decode(&value) {
                Ok(bytes) if name == "base64" => BASE64_STANDARD.encode(self.bytes(&bytes)),
                _ => self.replace_known(&value),
            };
            (replaced != value).then(|| serde_json::Value::from(replaced).to_string())
        })
    }

    /// Replaces known values in any other text, and everything with the form of a UUID or JSON Web Token.
    pub(super) fn text(&mut self, text: &str) -> String {
        let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || "-_.".contains(c)));
        for word in words.map(|word| word.trim_matches('.')) {
            if is_uuid(word) {
                self.id(word);
            } else if word.starts_with("eyJ") && word.split('.').count() == 3 {
                self.credential(word);
            }
        }
        self.replace_known(text)
    }

    /// Replaces known values. Ids and short credentials are replaced only if they are not part of a longer word.
    pub(super) fn replace_known(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for InsideText { value, replacement, inside_words } in &self.inside_text {
            let mut from = 0;
            while let Some(at) = text[from..].find(value.as_str()).map(|at| at + from) {
                let end = at + value.len();
                let joins = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
                if !inside_words && (joins(text[..at].chars().next_back()) || joins(text[end..].chars().next())) {
                    from = end;
                } else {
                    text.replace_range(at..end, replacement);
                    from = at + replacement.len();
                }
            }
        }
        text
    }
}

fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(at, byte)| if matches!(at, 8 | 13 | 18 | 23) { byte == b'-' } else { byte.is_ascii_hexdigit() })
}

fn is_version(part: &str) -> bool {
    part.strip_prefix('v').is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Decodes percent-encoding. Returns the text unchanged if the result is not UTF-8.
fn percent_decode(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
        bytes.push(match byte {
            b'%' => match (rest.next().and_then(digit), rest.next().and_then(digit)) {
                (Some(high), Some(low)) => high << 4 | low,
                _ => return text.to_owned(),
            },
            byte => byte,
        });
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_has_one_replacement_in_paths_queries_bodies_and_texts() {
        const UUID: &str = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";
        let mut all = Replacements::default();
        assert_eq!(all.credential("secret-token"), "credential-1");
        assert_eq!(all.path("/v3/queries/sleeps/sleep%2F42-x", Some("/v3/queries/sleeps/{sleep_id}")), "/v3/queries/sleeps/id-2");
        assert_eq!(all.path("/v3/providers/polar/x", Some("/v3/providers/{provider_slug}/x")), "/v3/providers/polar/x");
        assert_eq!(all.path("/v3/new/a77", None), "/v3/new/id-3");
        let body = format!(
            r#"{{"sleep_id":"sleep/42-x","application_id":4711,"note":"of sleep/42-x, see {UUID}.","n":4711,"record_ids":["{UUID}"]}}"#
        );
        let expected = r#"{"sleep_id":"id-2","application_id":900004,"note":"of id-2, see 00000000-0000-4000-8000-000000000005.","n":4711,"record_ids":["00000000-0000-4000-8000-000000000005"]}"#;
        assert_eq!(all.json(&body), expected);
        assert_eq!(all.json(expected), expected, "what was replaced stays");
        assert_eq!(
            all.query("include_record_ids=true&state=s-1&note=secret-token"),
            "include_record_ids=true&state=id-6&note=credential-1"
        );
        assert_eq!(all.replace_known("xsecret-token secret-token!"), "xsecret-token credential-1!");
    }

    #[test]
    fn tokens_and_uploads_are_replaced() {
        let mut all = Replacements::default();
        let jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln";
        let body = format!(r#"{{"access_token":"{jwt}","path":"https://h/consent/abc","body":"{}","notes":"{jwt}"}}"#, "A".repeat(300));
        let written = all.json(&body);
        assert!(!written.contains("eyJ") && !written.contains("abc") && !written.contains("AAA"), "{written}");
    }
}
