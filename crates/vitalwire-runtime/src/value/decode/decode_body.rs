//! Decoding of a whole body. UTF-8 is validated once. The first pass is fast; if it fails, a second pass skips invalid list items or
//! locates the error.

use std::marker::PhantomData;

use serde::de::{DeserializeOwned, DeserializeSeed};
use serde_json::error::Category;

use super::decode_state::{self, DeclaredNames, DecodeMode, DecodeRules};
use super::failure::{DecodeFailure, decode_failure};
use super::fast_path::FastPathError;
use super::from_body::FromBody;
use super::skipped::{self, SkippedItems};
use super::{interrupt, json_path, via_text, without_byte_order_mark};

/// A decoded value, with the list items that were skipped.
pub struct DecodedValue<T> {
    /// The value.
    pub value: T,
    /// The list items that could not be decoded.
    pub skipped: SkippedItems,
}

/// Decodes a body. List items that cannot be decoded are skipped; use [`decode`] to get them.
pub fn from_slice<T: FromBody>(body: &[u8], names: DeclaredNames) -> Result<T, DecodeFailure> {
    decode(body, names, false).map(|decoded| decoded.value)
}

/// Decodes a body. List items that cannot be decoded are skipped, or are errors if `strict_lists` is set.
pub fn decode<T: FromBody>(body: &[u8], names: DeclaredNames, strict_lists: bool) -> Result<DecodedValue<T>, DecodeFailure> {
    let rules = DecodeRules { declared: names, strict_lists };
    decode_with_seed(body, rules, T::from_body, |_| PhantomData::<T>)
}

/// Decodes a body through serde only, for types without a fast path.
pub fn decode_by_serde<T: DeserializeOwned>(
    body: &[u8],
    names: DeclaredNames,
    strict_lists: bool,
) -> Result<DecodedValue<T>, DecodeFailure> {
    let rules = DecodeRules { declared: names, strict_lists };
    decode_with_seed(body, rules, |_| Err(FastPathError::Unsupported), |_| PhantomData::<T>)
}

/// Decodes a body with `fast`. If that fails, decodes it with a seed, which is created from the body's text for each pass.
pub(crate) fn decode_with_seed<V, S>(
    body: &[u8],
    rules: DecodeRules,
    fast: impl FnOnce(&str) -> Result<V, FastPathError>,
    seed: impl Fn(&str) -> S,
) -> Result<DecodedValue<V>, DecodeFailure>
where
    S: for<'de> DeserializeSeed<'de, Value = V>,
{
    let original = body;
    let body = without_byte_order_mark(original);
    // Byte offsets in errors refer to the original body, byte order mark included.
    let start = original.len() - body.len();
    let Ok(text) = simdutf8::basic::from_utf8(body) else {
        let valid = std::str::from_utf8(body).map_or_else(|error| error.valid_up_to(), str::len);
        return Err(DecodeFailure { json_path: byte_position(start + valid), reason: "not UTF-8" });
    };
    let mode = match run_pass(DecodeMode::Quick, rules, text.len(), || fast(text)) {
        (Ok(value), skipped) => return Ok(DecodedValue { value, skipped }),
        // The caller drops this failure.
        _ if interrupt::is_interrupted() => return Err(DecodeFailure { json_path: String::new(), reason: "interrupted" }),
        (Err(FastPathError::Invalid), _) => DecodeMode::Thorough,
        (Err(FastPathError::Malformed | FastPathError::Unsupported), _) => DecodeMode::Quick,
    };
    let read = || {
        let mut parser = serde_json::Deserializer::from_str(text);
        let value = seed(text).deserialize(&mut parser)?;
        parser.end().map(|()| value)
    };
    let (mut result, mut skipped) = run_pass(mode, rules, text.len(), read);
    let is_rereadable = |error: &serde_json::Error| error.is_data() || via_text::is_unreadable_leaf(error);
    if mode == DecodeMode::Quick && result.as_ref().is_err_and(is_rereadable) && !interrupt::is_interrupted() {
        json_path::discard();
        (result, skipped) = run_pass(DecodeMode::Thorough, rules, text.len(), read);
    }
    result.map(|value| DecodedValue { value, skipped }).map_err(|error| to_failure(text, start, &error, rules.declared))
}

/// Runs one pass over a body of `bytes` bytes. Returns its result and the skipped list items.
fn run_pass<T>(mode: DecodeMode, rules: DecodeRules, bytes: usize, read: impl FnOnce() -> T) -> (T, SkippedItems) {
    let before = decode_state::begin(mode, rules, bytes);
    let (outer, path) = (skipped::take(), json_path::begin());
    let result = read();
    let skipped_items = skipped::take();
    skipped::set(outer);
    json_path::resume(path);
    decode_state::resume(before);
    (result, skipped_items)
}

fn to_failure(text: &str, start: usize, error: &serde_json::Error, names: DeclaredNames) -> DecodeFailure {
    let reason = match error.classify() {
        Category::Data => return located_failure(text, start, &error.to_string(), names),
        Category::Eof => {
            json_path::discard();
            let reason = if text.trim_ascii().is_empty() { "empty" } else { "truncated JSON" };
            return DecodeFailure { json_path: byte_position(start + text.len()), reason };
        }
        // Models are not nested deeply, and unknown fields are read without recursion, so this is never the recursion limit.
        Category::Syntax | Category::Io => {
            json_path::discard();
            "malformed JSON"
        }
    };
    DecodeFailure { json_path: byte_position(start + error_offset(text, error)), reason }
}

/// Returns a location for errors without a path.
fn byte_position(offset: usize) -> String {
    format!("byte {offset}")
}

/// Returns the byte offset of a parse error. serde_json counts lines from 1, and columns in bytes.
fn error_offset(text: &str, error: &serde_json::Error) -> usize {
    let lines = text.split_inclusive('\n').take(error.line().saturating_sub(1));
    (lines.map(str::len).sum::<usize>() + error.column().saturating_sub(1)).min(text.len())
}

/// Returns the failure at the location that was recorded.
fn located_failure(text: &str, start: usize, message: &str, names: DeclaredNames) -> DecodeFailure {
    let mut failure = decode_failure(json_path::take(), message, names);
    if failure.json_path.is_empty() {
        failure.json_path = byte_position(start + text.len() - text.trim_ascii_start().len());
    }
    failure
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::ListMember;
    use crate::value::decode::{Decode, FieldReader, Kind, NullableList, ObjectAccess, require};

    const NAMES: &[&str] = &["metrics", "stages", "status"];

    /// A model with a required value, a required list, and an optional list of its own type.
    #[derive(Debug)]
    struct Model;

    impl Decode for Model {
        const EXPECTED: &'static str = "expected an object";
        const KIND: Kind = Kind::Container;

        fn object<'de, A: ObjectAccess<'de>>(fields: A) -> Result<Result<Self, Box<str>>, A::Error> {
            let mut fields = FieldReader::new(fields, NAMES, |name| NAMES.iter().position(|known| *known == name));
            let (mut metrics, mut stages, mut status) = (None::<Vec<bool>>, ListMember::<Self>::Absent, None::<String>);
            while let Some(key) = fields.next()? {
                match key {
                    0 => fields.required_list(&mut metrics)?,
                    1 => fields.list(&mut stages, "stages")?,
                    2 => fields.required(&mut status)?,
                    _ => fields.keep_undeclared()?,
                }
            }
            require(metrics, "metrics")?;
            require(status, "status").map(|_| Ok(Self))
        }
    }

    crate::deserialize_by_decode!(Model);

    fn failure<T: FromBody>(body: &str) -> (String, &'static str) {
        let failure = decode::<T>(body.as_bytes(), NAMES, true).err().unwrap();
        (failure.json_path, failure.reason)
    }

    fn failure_by_serde<T: DeserializeOwned>(body: &str) -> (String, &'static str) {
        let failure = decode_by_serde::<T>(body.as_bytes(), NAMES, true).err().unwrap();
        (failure.json_path, failure.reason)
    }

    #[test]
    fn a_failure_has_the_path_of_the_invalid_value() {
        for (body, path, reason) in [
            (r#" {"metrics":[],"status":5}"#, "status", "expected a string"),
            (r#"{"status":"","metrics":[true,5]}"#, "metrics[1]", "expected true or false"),
            (r#"{"metrics":{},"status":""}"#, "metrics", "expected a list"),
            (r#"{"metrics":[],"jane":{"metrics":5}}"#, "status", "missing"),
            (r#"{"status":"","metrics":[],"stages":[{"status":"","metrics":null},{"metrics":[]}]}"#, "stages[1].status", "missing"),
            (
                r#"{"status":"","stages":[{"metrics":[],"status":"","stages":[{"metrics":["jane"]}]}]}"#,
                "stages[0].stages[0].metrics[0]",
                "expected true or false",
            ),
            (r#" "jane""#, "byte 1", "expected an object"),
        ] {
            assert_eq!(failure::<Model>(body), (path.to_owned(), reason), "{body}");
            // The location of the previous failure was discarded.
            assert_eq!(
                failure::<NullableList<Model>>(&format!("[{body}]")).0,
                if path == "byte 1" { "[0]".to_owned() } else { format!("[0].{path}") }
            );
        }
    }

    #[test]
    fn a_byte_order_mark_is_ignored_but_counted_in_offsets() {
        assert!(from_slice::<Model>("\u{feff}{\"metrics\":[],\"status\":\"\"}".as_bytes(), NAMES).is_ok());
        for (body, path, reason) in [
            ("\u{feff}", "byte 3", "empty"),
            ("\u{feff}\u{feff}{}", "byte 3", "malformed JSON"),
            ("\u{feff} 5", "byte 4", "expected an object"),
            ("\u{feff}{\"status\":x}", "byte 13", "malformed JSON"),
            ("\u{feff}{\n\"status\"", "byte 13", "truncated JSON"),
            ("\u{feff}{\"metrics\":[5],\"status\":\"\"}", "metrics[0]", "expected true or false"),
        ] {
            assert_eq!(failure::<Model>(body), (path.to_owned(), reason), "{body}");
        }
        let failure = from_slice::<Model>(b"\xef\xbb\xbf{\xff", NAMES).unwrap_err();
        assert_eq!((failure.json_path.as_str(), failure.reason), ("byte 4", "not UTF-8"));
    }

    /// A lone surrogate in a name stops the parser inside the item. The item is skipped, so no error remains.
    #[test]
    fn the_path_of_a_handled_error_is_discarded() {
        let body = r#"{"stages":[{"metrics":[],"status":"","\ud800":1}],"status":"","metrics":{}}"#;
        assert_eq!(from_slice::<Model>(body.as_bytes(), NAMES).err().unwrap().json_path, "metrics");
    }

    /// serde's own messages quote the value and are replaced.
    #[test]
    fn messages_of_serde_are_replaced() {
        assert_eq!(failure_by_serde::<Vec<u8>>("[1,300]"), ("byte 0".to_owned(), "unreadable"));
        assert_eq!(failure_by_serde::<(bool, bool)>("[true]").1, "unreadable");
    }

    #[test]
    fn a_missing_field_is_named_only_if_it_is_declared() {
        #[derive(Debug, serde::Deserialize)]
        struct Both {
            #[expect(dead_code, reason = "only its absence matters")]
            status: bool,
            #[expect(dead_code, reason = "as above")]
            janes_secret: bool,
        }
        assert_eq!(failure_by_serde::<Both>("{\"janes_secret\":true}"), ("status".to_owned(), "missing"));
        assert_eq!(failure_by_serde::<Both>(" {\"status\":true}"), ("byte 1".to_owned(), "missing"));
    }

    #[test]
    fn only_null_is_read_as_an_empty_list() {
        assert!(from_slice::<NullableList<String>>(b"null", &[]).unwrap().0.is_empty());
        assert_eq!(from_slice::<NullableList<String>>(b"[\"a\"]", &[]).unwrap().0, ["a"]);
        assert_eq!(failure::<NullableList<String>>("{}"), ("byte 0".to_owned(), "expected a list"));
        assert_eq!(failure::<NullableList<String>>("[\"a\",null]"), ("[1]".to_owned(), "expected a string"));
    }
}
