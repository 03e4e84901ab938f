//! Decoding of the reports that runners post.

use serde_json::Value;

/// Decodes an outcome. A text with an unpaired surrogate, which Rust cannot represent, is replaced by its JSON text.
pub(super) fn parse_outcome(body: &[u8]) -> Option<Value> {
    serde_json::from_slice(body).ok().or_else(|| serde_json::from_str(&quote_undecodable(std::str::from_utf8(body).ok()?)).ok())
}

/// Quotes each text of the JSON that cannot be decoded.
fn quote_undecodable(json: &str) -> String {
    let mut written = String::with_capacity(json.len());
    let mut rest = json;
    while let Some(start) = rest.find('"') {
        let (before, text) = rest.split_at(start);
        let Some(end) = literal_length(text) else { break };
        let (text, after) = text.split_at(end);
        written.push_str(before);
        match serde_json::from_str::<String>(text) {
            Ok(_) => written.push_str(text),
            Err(_) => written.push_str(&Value::from(text).to_string()),
        }
        rest = after;
    }
    written + rest
}

/// Returns the length of a string literal, whose opening quote is the first character. Returns `None` if it is not closed.
fn literal_length(text: &str) -> Option<usize> {
    // Skip the opening quote.
    let mut escaped = true;
    let closing = text.bytes().position(|byte| {
        let closes = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        closes
    });
    closing.map(|at| at + 1)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_unpaired_surrogate_is_its_json_text() {
        let posted = br#"{"a \" b":"x\\","half":"y \"\ud83d\" z","whole":"\ud83d\ude00","list":["\ude00",1]}"#;
        let read = json!({"a \" b": "x\\", "half": r#""y \"\ud83d\" z""#, "whole": "\u{1f600}", "list": [r#""\ude00""#, 1]});
        assert_eq!(parse_outcome(posted), Some(read));
        for broken in [&b"{"[..], b"\"", b"{\"a\":\"\\ud83d}", b"\xff"] {
            assert_eq!(parse_outcome(broken), None);
        }
    }
}
