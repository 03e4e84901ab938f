//! Detection of webhook bodies that were delivered before.

use std::fmt;

use serde_json::{Number, Value};
use sha2::{Digest, Sha256};

use super::signature::hex;
use crate::value::decode::without_byte_order_mark;

/// A hash of a webhook body. Equal contents have equal keys. `Display` writes 64 lower-case hex digits, suitable for storage.
///
/// The key is derived from health data: anyone who can guess a short body can confirm the guess. Store it as securely as the data.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ContentKey([u8; 32]);

impl ContentKey {
    /// Returns the hash as bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for ContentKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex(&self.0))
    }
}

/// Redacted: the key identifies a record.
impl fmt::Debug for ContentKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ContentKey(..)")
    }
}

/// Computes the key that identifies a body's content: SHA-256 of the body in canonical JSON.
///
/// Canonical JSON has no white space, and object fields sorted by code point. Of a repeated field, the last counts. Strings use the
/// shortest escapes. Whole numbers below 2^64 are written without decimal point and exponent, other numbers as the shortest decimal of the
/// same double. A byte order mark, the order of fields, white space, escapes, and `72` versus `72.0` therefore make no difference.
///
/// Know the limits before you discard a body:
/// * The order of a list, a null versus an absent field, and two spellings of the same instant do make a difference.
/// * Integers are exact up to 64 bits. Larger ones, and numbers with a decimal point or exponent, are compared as doubles.
/// * The key covers the body, not its events. Events that are delivered again in another grouping get another key.
/// * Two distinct events with identical fields, and no time of their own, get the same key.
/// * Some bodies are hashed byte for byte: those that are not JSON, have more than 127 levels, or have a number beyond a double's range.
///
/// ```
/// use vitalwire::webhook::content_key;
///
/// assert_eq!(content_key(br#"[{"a": 72, "b": "x"}]"#), content_key(br#"[{"b":"x","a":72.0}]"#));
/// assert_ne!(content_key(b"[1,2]"), content_key(b"[2,1]"));
/// ```
#[must_use]
pub fn content_key(body: &[u8]) -> ContentKey {
    // Canonical JSON is valid JSON and the fallback input is not, so their hashes cannot be confused.
    let canonical = serde_json::from_slice::<Value>(without_byte_order_mark(body)).ok().and_then(|value| {
        let mut text = String::with_capacity(body.len());
        write(&value, &mut text).map(|()| text)
    });
    ContentKey(canonical.map_or_else(|| Sha256::digest(body), Sha256::digest).into())
}

/// Writes canonical JSON. The parser limits nesting, so the recursion is bounded. Returns `None` for a number beyond a double's range.
fn write(value: &Value, to: &mut String) -> Option<()> {
    match value {
        Value::Null => to.push_str("null"),
        Value::Bool(true) => to.push_str("true"),
        Value::Bool(false) => to.push_str("false"),
        Value::Number(number) => write_number(number, to)?,
        Value::String(text) => write_text(text, to),
        Value::Array(items) => {
            to.push('[');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    to.push(',');
                }
                write(item, to)?;
            }
            to.push(']');
        }
        Value::Object(fields) => {
            // Sort here: whether serde_json's map is sorted depends on a feature that any crate of a program can enable.
            let mut fields: Vec<_> = fields.iter().collect();
            fields.sort_unstable_by_key(|(name, _)| name.as_str());
            to.push('{');
            for (at, (name, item)) in fields.into_iter().enumerate() {
                if at > 0 {
                    to.push(',');
                }
                write_text(name, to);
                to.push(':');
                write(item, to)?;
            }
            to.push('}');
        }
    }
    Some(())
}

/// Limit for writing whole doubles as integers: 2^64, the limit of JSON integers that are parsed exactly.
const INTEGER_LIMIT: f64 = 18_446_744_073_709_551_616.0;

fn write_number(number: &Number, to: &mut String) -> Option<()> {
    let whole = number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from)).or_else(|| {
        let double = number.as_f64()?;
        #[expect(clippy::cast_possible_truncation, reason = "a whole number below 2^64 fits")]
        (double.fract() == 0.0 && double.abs() < INTEGER_LIMIT).then_some(double as i128)
    });
    match whole {
        Some(whole) => to.push_str(&whole.to_string()),
        // Convert to a double first: with serde_json's `arbitrary_precision`, numbers keep their original text.
        None => to.push_str(&number.as_f64().and_then(Number::from_f64)?.to_string()),
    }
    Some(())
}

fn write_text(text: &str, to: &mut String) {
    to.push_str(&Value::String(text.to_owned()).to_string());
}
