//! Telling that the same webhook came twice.

use std::fmt;

use serde_json::{Number, Value};
use sha2::{Digest, Sha256};

use super::mac::hex;
use crate::value::decode::without_byte_order_mark;

/// The content of a body in 32 bytes: equal for equal contents. `Display` gives 64 lower-case hex digits, to be stored.
///
/// Made from health data: who can guess a short body can check the guess against its key, so store it as you store the data.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ContentKey([u8; 32]);

impl ContentKey {
    /// The bytes.
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

/// Redacted: it stands for a record.
impl fmt::Debug for ContentKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ContentKey(..)")
    }
}

/// The key under which a receiver remembers a body: SHA-256 over the body in canonical JSON.
///
/// Canonical is: no white space; the members of an object sorted by their names' code points, the last of a repeated one counting;
/// texts with the shortest escapes; whole numbers below 2^64 without point and exponent, others as the shortest decimal that gives the
/// same double. So a byte order mark, the order of members, white space, escapes, and `72` or `72.0` make no difference.
///
/// Limits, all to be kept in mind before leaving a body out:
/// * The order of a list, a member that is null or absent, and two ways to write one instant do make a difference.
/// * Integers are exact up to 64 bits. Larger ones, and numbers with a point or exponent, count as the double nearest to them.
/// * The key is of the body, not of each event in it: events that come again in another grouping have another key.
/// * Two things that happened and look alike to the last member, without a time of their own, have one key.
/// * A body that is no JSON (or nested more than 127 deep, or with a number beyond a double's range) counts byte for byte.
///
/// ```
/// use vitalwire::webhook::content_key;
///
/// assert_eq!(content_key(br#"[{"a": 72, "b": "x"}]"#), content_key(br#"[{"b":"x","a":72.0}]"#));
/// assert_ne!(content_key(b"[1,2]"), content_key(b"[2,1]"));
/// ```
#[must_use]
pub fn content_key(body: &[u8]) -> ContentKey {
    // Canonical JSON is JSON, and what is hashed as it came is not, so the two never meet.
    let canonical = serde_json::from_slice::<Value>(without_byte_order_mark(body)).ok().and_then(|value| {
        let mut text = String::with_capacity(body.len());
        write(&value, &mut text).map(|()| text)
    });
    ContentKey(canonical.map_or_else(|| Sha256::digest(body), Sha256::digest).into())
}

/// The parser refuses deep nesting, so this does not go deep either. `None` for a number beyond a double's range.
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
        Value::Object(members) => {
            // Sorted here: whether the map is sorted depends on a feature that any crate of a program can turn on.
            let mut members: Vec<_> = members.iter().collect();
            members.sort_unstable_by_key(|(name, _)| name.as_str());
            to.push('{');
            for (at, (name, item)) in members.into_iter().enumerate() {
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

/// Whole doubles below this bound are written like integers (2^64, the end of what is read as an integer).
const WHOLE: f64 = 18_446_744_073_709_551_616.0;

fn write_number(number: &Number, to: &mut String) -> Option<()> {
    let whole = number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from)).or_else(|| {
        let double = number.as_f64()?;
        #[expect(clippy::cast_possible_truncation, reason = "a whole number below 2^64 fits")]
        (double.fract() == 0.0 && double.abs() < WHOLE).then_some(double as i128)
    });
    match whole {
        Some(whole) => to.push_str(&whole.to_string()),
        // Through the double, also where a program keeps numbers as they were written.
        None => to.push_str(&number.as_f64().and_then(Number::from_f64)?.to_string()),
    }
    Some(())
}

fn write_text(text: &str, to: &mut String) {
    to.push_str(&Value::String(text.to_owned()).to_string());
}
