//! Targets for webhooks: signatures, bodies, detected kinds and content keys.

use serde_json::Value;
use vitalwire::Error;
use vitalwire::models::WebhookEvent;
use vitalwire::webhook::{
    ContentKey, Verifier, WebhookKind, content_key, detect_kind, parse_events, parse_lab_report, parse_nutrition, sign,
};

use crate::json::Node;
use crate::oracle::decoding::check_decoding;
use crate::oracle::{memory, text};

/// Reads a body as all kinds of webhooks.
pub fn bodies(body: &[u8]) {
    check_decoding::<Vec<WebhookEvent>>(body, &parse_events);
    check_decoding(body, &parse_lab_report);
    check_decoding(body, &parse_nutrition);
    check_kind(body, memory::check_memory(body, detect_kind));
    check_content_key(body, &content_key);
}

/// Checks that the detected kind is possible for the body. Detection ignores values, including numbers beyond the range of a double.
fn check_kind(body: &[u8], guess: WebhookKind) {
    let Ok(value) = serde_json::from_slice::<Value>(body) else { return };
    let events = match &value {
        Value::Null => true,
        // Items that are not events are skipped when the body is read.
        Value::Array(items) => items.is_empty() || items.iter().any(Value::is_object),
        _ => false,
    };
    assert_eq!(guess == WebhookKind::Events, events, "events are not detected correctly");
    assert!(
        value.is_object() || !matches!(guess, WebhookKind::LabReport | WebhookKind::Nutrition),
        "a record is detected that is not an object"
    );
}

/// Checks that equal content has the same key, however it is written, and different content another key.
pub fn check_content_key(body: &[u8], key_of: &dyn Fn(&[u8]) -> ContentKey) {
    let key = key_of(body);
    assert_eq!(key.to_string().len(), 64);
    assert_eq!(format!("{key:?}"), "ContentKey(..)");
    let Ok(value) = serde_json::from_slice::<Value>(body) else { return };
    let mut node = Node::from(&value);
    for text in [value.to_string(), format!("{value:#}"), reversed(&mut node).write(), escaped(&value.to_string())] {
        assert!(key_of(text.as_bytes()) == key, "equal content has two keys");
    }
    assert!(key_of(format!("[{value}]").as_bytes()) != key, "different contents have one key");
    if body.iter().any(|byte| !byte.is_ascii_whitespace()) {
        assert!(key_of(&body[..body.len() - 1]) != key || body.last().is_some_and(u8::is_ascii_whitespace) || value.is_number());
    }
}

/// Reverses the fields of every object.
fn reversed(node: &mut Node) -> &Node {
    match node {
        Node::List(items) => items.iter_mut().for_each(|item| drop(reversed(item).clone())),
        Node::Object(members) => {
            members.reverse();
            members.iter_mut().for_each(|(_, member)| drop(reversed(member).clone()));
        }
        Node::Literal(_) | Node::Text(_) => {}
    }
    node
}

/// Escapes every non-ASCII character.
fn escaped(json: &str) -> String {
    let mut text = String::new();
    for c in json.chars() {
        if c.is_ascii() {
            text.push(c);
        } else {
            c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| text.push_str(&format!("\\u{unit:04x}")));
        }
    }
    text
}

/// Signing key of all checks.
const KEY: &str = "a-webhook-key-of-no-service";

/// Uses the first line as the signature, and the rest as the body.
pub fn signatures(input: &[u8]) {
    let at = input.iter().position(|byte| *byte == b'\n').unwrap_or(input.len());
    let (sent, body) = (&input[..at], input.get(at + 1..).unwrap_or_default());
    let verifier = Verifier::new([KEY, "an-older-webhook-key"]).expect("a verifier");
    check_signature(sent, body, &|body, signature| verifier.verify(body, signature));
}

/// Verifies the signature header of a body.
pub type Verify<'a> = &'a dyn Fn(&[u8], &[u8]) -> Result<(), Error>;

/// Checks a function that verifies signatures.
pub fn check_signature(sent: &[u8], body: &[u8], verify: Verify<'_>) {
    let right = sign(body, KEY);
    let older = sign(body, "an-older-webhook-key");
    let lower = sent.trim_ascii().to_ascii_lowercase();
    let is_valid = lower == right.as_bytes() || lower == older.as_bytes();
    let result = verify(body, sent);
    assert_eq!(result.is_ok(), is_valid, "an invalid signature is accepted, or a valid one rejected");
    if let Err(error) = result {
        assert_eq!(error.kind(), vitalwire::ErrorKind::Signature);
        text::check_error(&error, input_size(sent, body));
    }
    assert!(verify(body, right.to_uppercase().as_bytes()).is_ok() && verify(body, older.as_bytes()).is_ok());
    // Changing one bit of the body or of the signature must be detected.
    let mut other = body.to_vec();
    match other.first_mut() {
        Some(byte) => *byte ^= 1,
        None => other.push(0),
    }
    assert!(verify(&other, right.as_bytes()).is_err());
    let mut digits = right.into_bytes();
    let at = sent.len() % digits.len();
    digits[at] = if digits[at] == b'0' { b'1' } else { b'0' };
    assert!(verify(body, &digits).is_err() && verify(body, &digits[1..]).is_err() && verify(body, b"").is_err());
}

fn input_size(sent: &[u8], body: &[u8]) -> usize {
    sent.len() + body.len()
}
