//! Oracle for decoding a body.

use std::fmt::Debug;

use serde::Serialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use vitalwire::ErrorKind;
use vitalwire::fuzzing::Decoded;
use vitalwire::value::decode::{SkippedItem, SkippedItems};

use super::{Decode, lossless, memory, text};

/// Checks that a body is decoded to a value that contains all of its data, or to an error that contains none of it.
pub fn check_decoding<T: Serialize + PartialEq + Debug>(body: &[u8], decode: Decode<'_, T>) {
    match memory::check_memory(body, decode) {
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::Decode);
            text::check_error(&error, body.len());
        }
        Ok(value) => {
            text::check_debug(&value, body.len());
            // A leading byte order mark is ignored.
            let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
            serde_json::from_slice::<IgnoredAny>(body).expect("invalid JSON is not a response");
            // Numbers beyond the range of a double, lone surrogates and deep nesting are kept as text. A `Value` cannot represent them.
            if let Ok(read) = serde_json::from_slice::<Value>(body) {
                lossless::check_lossless(&read, &serde_json::to_value(&value).expect("a model can be written"));
            }
            check_round_trip(&value, decode);
        }
    }
}

/// Checks that the fast path and serde return the same value and skip the same items, or return the same error.
pub fn compare_decoders<T: Serialize>(decoded: [Decoded<T>; 2]) {
    let [fast, by_serde] = decoded.map(|decoded| {
        let fault = |error: vitalwire::Error| (error.to_string(), error.json_path().map(str::to_owned));
        let items = |skipped: &SkippedItems| -> Vec<_> {
            let parts = |item: &SkippedItem| [item.json_path(), item.reason(), item.json()].map(str::to_owned);
            skipped.as_slice().iter().map(parts).collect()
        };
        let contents = |(value, skipped): (T, SkippedItems)| {
            (serde_json::to_string(&value).expect("a model can be written"), items(&skipped), skipped.count())
        };
        decoded.map(contents).map_err(fault)
    });
    assert_eq!(fast, by_serde);
}

/// Checks that a value survives a round trip and is written in the same way again, except for the spelling of numbers and texts.
fn check_round_trip<T: Serialize + PartialEq>(value: &T, decode: Decode<'_, T>) {
    let written = serde_json::to_vec(value).expect("a model can be written");
    let second = decode(&written).expect("a written value can be read");
    assert!(*value == second, "a value changes when it is written and read");
    let rewritten = serde_json::to_vec(&second).expect("a model can be written");
    assert!(written == rewritten || respell(&written) == respell(&rewritten), "a value is written in two formats");
}

/// Returns the JSON with each number formatted as a double, which may be infinite, and without needless escapes in texts. A `Value` cannot
/// represent infinite numbers and lone surrogates.
fn respell(json: &[u8]) -> Vec<u8> {
    let mut spelled = Vec::with_capacity(json.len());
    let mut rest = json;
    while let Some(&byte) = rest.first() {
        let token = match byte {
            b'"' => text_token(rest),
            b'-' | b'0'..=b'9' => rest.iter().position(|byte| !b"+-.eE0123456789".contains(byte)).unwrap_or(rest.len()),
            _ => 1,
        };
        let (token, after) = rest.split_at(token);
        let text = || serde_json::from_slice::<String>(token).ok().map(|text| format!("{text:?}"));
        let number = || std::str::from_utf8(token).ok()?.parse::<f64>().ok().map(|number| format!("{number:?}"));
        match text().or_else(number) {
            Some(respelled) => spelled.extend_from_slice(respelled.as_bytes()),
            None => spelled.extend_from_slice(token),
        }
        rest = after;
    }
    spelled
}

/// Returns the length of the string at the start of the JSON, including its quotes.
fn text_token(json: &[u8]) -> usize {
    let mut escaped = false;
    let end = json.iter().skip(1).position(|byte| {
        let ends = *byte == b'"' && !escaped;
        escaped = *byte == b'\\' && !escaped;
        ends
    });
    end.map_or(json.len(), |end| end + 2)
}

#[cfg(test)]
mod tests {
    use super::respell;

    #[test]
    fn numbers_and_texts_are_compared_by_value_and_all_else_as_written() {
        assert_eq!(respell(br#"{"1e2":[1e309,0e309,-1.50]}"#), respell(br#"{"1e2":[2e400,0.0,-1.5]}"#));
        assert_eq!(respell(br#"["\u1615\/\ud800","\u1615\/"]"#), respell("[\"\\u1615\\/\\ud800\",\"\u{1615}/\"]".as_bytes()));
        for (one, other) in [(r#"["1e2"]"#, r#"["100"]"#), ("[1]", "[2]"), (r#"["a\"1"]"#, r#"["a\"1.0"]"#), (r#"["\\",1]"#, r#"["\\",2]"#)]
        {
            assert_ne!(respell(one.as_bytes()), respell(other.as_bytes()), "{one}");
        }
    }
}
