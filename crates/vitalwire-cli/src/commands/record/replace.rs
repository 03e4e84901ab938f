//! Replaces credentials and ids. Equal values get equal replacements everywhere.

use std::collections::HashMap;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use vitalwire::http::{HeaderMap, header};

use super::super::ids::record_id_error;
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

/// Words in names of credentials.
const CREDENTIAL_WORDS: &[&str] = &[
    "apikey",
    "auth",
    "bearer",
    "cookie",
    "credential",
    "jwt",
    "key",
    "otp",
    "passcode",
    "passphrase",
    "passwd",
    "password",
    "pin",
    "pwd",
    "secret",
    "signature",
    "token",
];
/// Words in names of ids, numbers of persons and contacts.
const ID_WORDS: &[&str] = &[
    "email",
    "fax",
    "guid",
    "iban",
    "id",
    "identifier",
    "imei",
    "login",
    "mail",
    "mobile",
    "mrn",
    "msisdn",
    "number",
    "passport",
    "phone",
    "serial",
    "ssn",
    "telephone",
    "uid",
    "username",
    "uuid",
];
/// Endings of words that are not split, such as `accesstoken`.
const CREDENTIAL_ENDINGS: &[&str] = &["apikey", "password", "secret", "token"];
const ID_ENDINGS: &[&str] = &["email", "emailaddress", "identifier", "number", "username"];
/// Words that form the name of an id with `id` behind them, such as `userid`.
const OWNERS: &[&str] = &[
    "account",
    "application",
    "client",
    "customer",
    "device",
    "external",
    "member",
    "patient",
    "person",
    "policy",
    "record",
    "session",
    "subject",
    "subscriber",
    "user",
];
/// Words that mean an id or a credential only at the end of a name: `authorizationRequired` is none.
const LAST_WORDS: &[(&str, ValueKind)] =
    &[("account", ValueKind::Id), ("authorization", ValueKind::Credential), ("no", ValueKind::Id), ("session", ValueKind::Credential)];
/// Last words of names that describe an id or a credential, such as `token_type`.
const DESCRIPTIONS: &[&str] = &["at", "count", "in", "type"];
/// Names that contain one of the words, but no id of a person.
const ORDINARY: &[&str] = &["source_bundle_identifier"];

/// Returns the kind of value for the name of a field, parameter or header.
fn value_kind(name: &str) -> Option<ValueKind> {
    let words = words(name);
    let words: Vec<&str> =
        words.iter().map(|word| word.strip_suffix('s').filter(|word| word.len() > 1 && !word.ends_with('s')).unwrap_or(word)).collect();
    let last = *words.last()?;
    match name {
        "code" | "authorization_code" => return Some(ValueKind::Credential),
        "instance" | "state" | "sub" => return Some(ValueKind::Id),
        _ if DESCRIPTIONS.contains(&last) || ORDINARY.contains(&name) => return None,
        _ => {}
    }
    let is_credential = |word: &&str| CREDENTIAL_WORDS.contains(word) || CREDENTIAL_ENDINGS.iter().any(|end| word.ends_with(end));
    let is_id = |word: &&str| {
        ID_WORDS.contains(word)
            || ID_ENDINGS.iter().any(|end| word.ends_with(end))
            || word.strip_suffix("id").is_some_and(|owner| OWNERS.contains(&owner))
    };
    if words.iter().any(is_credential) {
        return Some(ValueKind::Credential);
    }
    let at_end = LAST_WORDS.iter().find(|(word, _)| *word == last).map(|(_, kind)| *kind);
    at_end.or_else(|| (words.iter().any(is_id) || words.ends_with(&["user", "name"])).then_some(ValueKind::Id))
}

/// Splits a name at case changes and at characters that are no letters. Returns lower-case words.
fn words(name: &str) -> Vec<String> {
    // `recordIDs` has the words `record` and `ids`.
    let letters: Vec<char> = name.replace("IDs", "Ids").chars().collect();
    let mut split = String::new();
    for (at, letter) in letters.iter().enumerate() {
        let is_after_lower = at > 0 && letters[at - 1].is_lowercase();
        let is_before_lower = letters.get(at + 1).is_some_and(|next| next.is_lowercase());
        if !letter.is_alphabetic() || letter.is_uppercase() && (is_after_lower || is_before_lower) {
            split.push(' ');
        }
        split.extend(letter.to_lowercase().filter(|letter| letter.is_alphabetic()));
    }
    split.split_whitespace().map(str::to_owned).collect()
}

/// A value to replace inside longer texts.
struct InsideText {
    value: String,
    replacement: String,
    /// Whether to replace it inside words, too.
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
        // `include_record_ids=true` contains no id, and `{"token": {"type": "Bearer"}}` no token in its type.
        if matches!(value, "" | "true" | "false" | "Bearer" | "bearer") {
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
        json::rewrite(text, |container, name, written| {
            if name == json::KEY {
                return None;
            }
            let value_kind = value_kind(name).or_else(|| value_kind(container));
            let Some(value) = serde_json::from_str::<String>(written).ok().filter(|_| written.starts_with('"')) else {
                // A number.
                return value_kind.filter(|_| written.bytes().all(|byte| byte.is_ascii_digit())).map(|_| self.id(written));
            };
            let replacement = match value_kind {
                Some(ValueKind::Credential) => self.credential(&value),
                Some(ValueKind::Id) => self.id(&value),
                None if name == "body" && value.len() > MAX_UPLOAD => "left out".to_owned(),
                // Consent URLs contain a token.
                None if name == "path" && value.contains("://") => {
                    format!("https://service.example/{}", self.credential(&value))
                }
                None if is_json_object(&value) => self.json(&value),
                None => self.text(&value),
            };
            (replacement != value).then(|| serde_json::Value::from(replacement).to_string())
        })
    }

    /// Replaces values in an encoded query.
    pub(super) fn query(&mut self, query: &str) -> String {
        let pairs = query.split('&').filter(|pair| !pair.is_empty()).map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            match value_kind(&percent_decode(name)) {
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
        json::rewrite(exchange, |_, name, written| {
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

    /// Learns the values of headers with credentials and ids.
    pub(super) fn headers(&mut self, headers: &HeaderMap) {
        for (name, value) in headers {
            let Some(kind) = value_kind(name.as_str()) else { continue };
            // The other parts of a new cookie are its attributes.
            let parts = if name == header::SET_COOKIE { 1 } else { usize::MAX };
            for part in String::from_utf8_lossy(value.as_bytes()).split(';').take(parts) {
                // `SCHEME TOKEN`, or `NAME=VALUE` of a cookie.
                let word = part.split_whitespace().next_back().unwrap_or_default();
                let value = word.split_once('=').map_or(word, |(_, value)| value);
                self.replacement(if value.len() < MIN_WITHIN_TEXT { word } else { value }, kind);
            }
        }
    }

    /// Replaces values after a sensitive name (`password=x`), user names and passwords of URLs, everything with the form of a UUID or JSON
    /// Web Token, and known values.
    pub(super) fn text(&mut self, text: &str) -> String {
        let named: String = text.split_inclusive(is_separator).map(|part| self.named_value(part)).collect();
        self.known_forms(&named)
    }

    /// Replaces the value in `name=value`, and the user information in a URL.
    fn named_value(&mut self, part: &str) -> String {
        if let Some((scheme, authority)) = part.split_once("://")
            && let Some((user, host)) = authority.split_once('@').filter(|(user, _)| !user.contains('/'))
        {
            return format!("{scheme}://{}@{host}", self.credential(user));
        }
        let (pair, separator) = part.split_at(part.trim_end_matches(is_separator).len());
        let named = pair.split_once('=').and_then(|(name, value)| Some((name, value, value_kind(&percent_decode(name))?)));
        named.map_or_else(
            || part.to_owned(),
            |(name, value, kind)| format!("{name}={}{separator}", self.replacement(&percent_decode(value), kind)),
        )
    }

    fn known_forms(&mut self, text: &str) -> String {
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

/// Whether a text contains a JSON object or list of its own.
fn is_json_object(text: &str) -> bool {
    text.starts_with(['{', '[']) && serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

/// Whether a character ends a value in a text.
fn is_separator(character: char) -> bool {
    character.is_whitespace() || "&?#;,\"'<>()[]{}".contains(character)
}

/// Whether a text is an encoded form, such as `username=x&password=y`.
pub(super) fn is_form(text: &str) -> bool {
    let is_name = |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.[]%+".contains(&byte));
    text.split('&').all(|pair| pair.split_once('=').is_some_and(|(name, _)| is_name(name))) && !text.contains(char::is_whitespace)
}

fn is_uuid(text: &str) -> bool {
    record_id_error(text).is_none()
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
mod tests;
