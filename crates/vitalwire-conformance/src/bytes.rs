//! Bytes of bodies and arguments.

use std::path::Path;

use anyhow::{Context, ensure};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::Value;

use crate::case::Body;

/// Encodes bytes in hexadecimal digits, the form in which runners post bodies.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the uncompressed bytes of a body.
///
/// # Errors
///
/// If the base64 is invalid or the file does not exist.
pub fn body_bytes(body: &Body, fixtures: &Path) -> anyhow::Result<Vec<u8>> {
    Ok(match body {
        Body::Empty => Vec::new(),
        Body::Json(value) => serde_json::to_vec(value)?,
        Body::Text(text) => text.clone().into_bytes(),
        Body::Base64(text) => BASE64_STANDARD.decode(text).context("invalid base64")?,
        Body::Fixture(name) => {
            ensure!(!name.contains(['/', '\\']) && !name.starts_with('.'), "a fixture must be the name of a file");
            std::fs::read(fixtures.join(name)).with_context(|| format!("reading the fixture `{name}`"))?
        }
        Body::Repeat(repeat) => {
            let mut text = repeat.open.clone();
            for n in 0..repeat.times {
                if n > 0 {
                    text.push_str(&repeat.between);
                }
                text.push_str(&repeat.item.replace("{n}", &n.to_string()));
            }
            text.push_str(&repeat.close);
            text.into_bytes()
        }
    })
}

/// Prefix of an argument of zero bytes, which a case does not write out.
const ZEROS: &str = "zeros:";

/// Decodes an argument: base64, or `zeros:` and a number. Returns `None` for any other text.
#[must_use]
pub fn decode_argument(text: &str) -> Option<Vec<u8>> {
    match text.strip_prefix(ZEROS) {
        Some(count) => Some(vec![0; count.parse().ok()?]),
        None => BASE64_STANDARD.decode(text).ok(),
    }
}

/// Converts an expected request body: `zeros:` and a number become the base64 of that many zero bytes.
#[must_use]
pub fn expand_zeros(body: &Value) -> Value {
    match body {
        Value::String(text) if text.starts_with(ZEROS) => {
            decode_argument(text).map_or_else(|| body.clone(), |bytes| BASE64_STANDARD.encode(bytes).into())
        }
        Value::Array(items) => items.iter().map(expand_zeros).collect(),
        Value::Object(members) => members.iter().map(|(name, value)| (name.clone(), expand_zeros(value))).collect(),
        _ => body.clone(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn zeros_are_expanded() {
        assert_eq!(decode_argument("AP8="), Some(vec![0, 255]));
        assert_eq!(decode_argument("zeros:4"), Some(vec![0; 4]));
        assert_eq!((decode_argument("zeros:x"), decode_argument("?")), (None, None));
        assert_eq!(expand_zeros(&json!({"body": "zeros:4", "list": ["zeros", 1]})), json!({"body": "AAAAAA==", "list": ["zeros", 1]}));
    }
}
