//! Decoding of a whole body. UTF-8 is validated once. The first pass is fast; if it fails, a second pass locates the error.

use std::marker::PhantomData;

use serde::de::{DeserializeOwned, DeserializeSeed};
use serde_json::error::Category;

use super::failure::{DecodeFailure, describe};
use super::skipped::{self, SkippedItems};
use super::state::{self, Declared, Mode, Rules};
use super::{as_text, interrupt, place, without_byte_order_mark};

/// A decoded value, with the list items that were skipped.
pub struct Decoded<T> {
    /// The value.
    pub value: T,
    /// The list items that could not be decoded.
    pub skipped: SkippedItems,
}

/// Decodes a body. List items that cannot be decoded are skipped; use [`decode`] to get them.
pub fn from_slice<T: DeserializeOwned>(body: &[u8], names: Declared) -> Result<T, DecodeFailure> {
    decode(body, names, false).map(|decoded| decoded.value)
}

/// Decodes a body. List items that cannot be decoded are skipped, or are errors if `strict_lists` is set.
pub fn decode<T: DeserializeOwned>(body: &[u8], names: Declared, strict_lists: bool) -> Result<Decoded<T>, DecodeFailure> {
    seeded(body, Rules { declared: names, strict_lists }, |_| PhantomData::<T>)
}

/// Decodes a body with a seed, which is created from the body's text for each pass.
pub(crate) fn seeded<V, S>(body: &[u8], rules: Rules, seed: impl Fn(&str) -> S) -> Result<Decoded<V>, DecodeFailure>
where
    S: for<'de> DeserializeSeed<'de, Value = V>,
{
    let marked = body;
    let body = without_byte_order_mark(marked);
    // Byte offsets in errors refer to the original body, byte order mark included.
    let start = marked.len() - body.len();
    let Ok(text) = simdutf8::basic::from_utf8(body) else {
        let valid = std::str::from_utf8(body).map_or_else(|error| error.valid_up_to(), str::len);
        return Err(DecodeFailure { place: byte(start + valid), reason: "not UTF-8" });
    };
    let read = || {
        let mut parser = serde_json::Deserializer::from_str(text);
        let value = seed(text).deserialize(&mut parser)?;
        parser.end().map(|()| value)
    };
    let read = |mode| read_once(mode, rules, text.len(), read);
    let (mut result, mut skipped) = read(Mode::Quick);
    if result.as_ref().is_err_and(|error| error.is_data() || as_text::is_leaf(error)) && !interrupt::is_ended() {
        place::forget();
        (result, skipped) = read(Mode::Thorough);
    }
    result.map(|value| Decoded { value, skipped }).map_err(|error| explain(text, start, &error, rules.declared))
}

/// Runs one pass over a body of `bytes` bytes. Returns its result and the skipped list items.
fn read_once<T>(mode: Mode, rules: Rules, bytes: usize, read: impl FnOnce() -> T) -> (T, SkippedItems) {
    let before = state::begin(mode, rules, bytes);
    let (outer, path) = (skipped::take(), place::begin());
    let result = read();
    let own = skipped::take();
    skipped::set(outer);
    place::resume(path);
    state::resume(before);
    (result, own)
}

fn explain(text: &str, start: usize, error: &serde_json::Error, names: Declared) -> DecodeFailure {
    let reason = match error.classify() {
        Category::Data => return located(text, start, &error.to_string(), names),
        Category::Eof => {
            let reason = if text.trim_ascii().is_empty() { "empty" } else { "truncated JSON" };
            return DecodeFailure { place: byte(start + text.len()), reason };
        }
        // Models are not nested deeply, and unknown fields are read without recursion, so this is never the recursion limit.
        Category::Syntax | Category::Io => "malformed JSON",
    };
    DecodeFailure { place: byte(start + offset(text, error)), reason }
}

/// Returns a location for errors without a path.
fn byte(offset: usize) -> String {
    format!("byte {offset}")
}

/// Returns the byte offset of a parse error. serde_json counts lines from 1, and columns in bytes.
fn offset(text: &str, error: &serde_json::Error) -> usize {
    let lines = text.split_inclusive('\n').take(error.line().saturating_sub(1));
    (lines.map(str::len).sum::<usize>() + error.column().saturating_sub(1)).min(text.len())
}

/// Returns the failure at the location that was recorded.
fn located(text: &str, start: usize, message: &str, names: Declared) -> DecodeFailure {
    let mut failure = describe(place::take(), message, names);
    if failure.place.is_empty() {
        failure.place = byte(start + text.len() - text.trim_ascii_start().len());
    }
    failure
}

#[cfg(test)]
mod tests {
    use serde::de::MapAccess;

    use super::*;
    use crate::value::ListMember;
    use crate::value::decode::{Decode, Kind, Members, NullIsEmpty, require};

    const NAMES: &[&str] = &["metrics", "stages", "status"];

    /// A model with a required value, a required list, and an optional list of its own type.
    #[derive(Debug)]
    struct Model;

    impl Decode for Model {
        const EXPECTED: &'static str = "expected an object";
        const KIND: Kind = Kind::Container;

        fn object<'de, A: MapAccess<'de>>(members: A) -> Result<Result<Self, Box<str>>, A::Error> {
            let mut members = Members::new(members, NAMES, |name| NAMES.iter().position(|known| *known == name));
            let (mut metrics, mut stages, mut status) = (None::<Vec<bool>>, ListMember::<Self>::Absent, None::<String>);
            while let Some(key) = members.next()? {
                match key {
                    0 => members.required_list(&mut metrics)?,
                    1 => members.list(&mut stages, "stages")?,
                    2 => members.required(&mut status)?,
                    _ => members.keep()?,
                }
            }
            require(metrics, "metrics")?;
            require(status, "status").map(|_| Ok(Self))
        }
    }

    crate::deserialize_by_decode!(Model);

    fn failure<T: DeserializeOwned>(body: &str) -> (String, &'static str) {
        let failure = decode::<T>(body.as_bytes(), NAMES, true).err().unwrap();
        (failure.place, failure.reason)
    }

    #[test]
    fn a_place_leads_from_the_body_to_what_is_wrong() {
        for (body, place, reason) in [
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
            assert_eq!(failure::<Model>(body), (place.to_owned(), reason), "{body}");
            // The location of the previous failure was discarded.
            assert_eq!(
                failure::<NullIsEmpty<Model>>(&format!("[{body}]")).0,
                if place == "byte 1" { "[0]".to_owned() } else { format!("[0].{place}") }
            );
        }
    }

    #[test]
    fn a_byte_order_mark_is_ignored_and_counted() {
        assert!(from_slice::<Model>("\u{feff}{\"metrics\":[],\"status\":\"\"}".as_bytes(), NAMES).is_ok());
        for (body, place, reason) in [
            ("\u{feff}", "byte 3", "empty"),
            ("\u{feff}\u{feff}{}", "byte 3", "malformed JSON"),
            ("\u{feff} 5", "byte 4", "expected an object"),
            ("\u{feff}{\"status\":x}", "byte 13", "malformed JSON"),
            ("\u{feff}{\n\"status\"", "byte 13", "truncated JSON"),
            ("\u{feff}{\"metrics\":[5],\"status\":\"\"}", "metrics[0]", "expected true or false"),
        ] {
            assert_eq!(failure::<Model>(body), (place.to_owned(), reason), "{body}");
        }
        let failure = from_slice::<Model>(b"\xef\xbb\xbf{\xff", NAMES).unwrap_err();
        assert_eq!((failure.place.as_str(), failure.reason), ("byte 4", "not UTF-8"));
    }

    /// A lone surrogate in a name stops the parser inside the item. The item is skipped, so no error remains.
    #[test]
    fn a_place_that_was_noted_in_vain_is_forgotten() {
        let body = r#"{"stages":[{"metrics":[],"status":"","\ud800":1}],"status":"","metrics":{}}"#;
        assert_eq!(from_slice::<Model>(body.as_bytes(), NAMES).err().unwrap().place, "metrics");
    }

    /// serde's own messages quote the value and are replaced.
    #[test]
    fn only_our_own_reasons_are_passed_on() {
        assert_eq!(failure::<Vec<u8>>("[1,300]"), ("byte 0".to_owned(), "unreadable"));
        assert_eq!(failure::<(bool, bool)>("[true]").1, "unreadable");
    }

    #[test]
    fn a_member_that_serde_misses_is_named_only_where_it_is_declared() {
        #[derive(Debug, serde::Deserialize)]
        struct Both {
            #[expect(dead_code, reason = "only its absence matters")]
            status: bool,
            #[expect(dead_code, reason = "as above")]
            janes_secret: bool,
        }
        assert_eq!(failure::<Both>("{\"janes_secret\":true}"), ("status".to_owned(), "missing"));
        assert_eq!(failure::<Both>(" {\"status\":true}"), ("byte 1".to_owned(), "missing"));
    }

    #[test]
    fn null_is_an_empty_list_and_nothing_else_is() {
        assert!(from_slice::<NullIsEmpty<String>>(b"null", &[]).unwrap().0.is_empty());
        assert_eq!(from_slice::<NullIsEmpty<String>>(b"[\"a\"]", &[]).unwrap().0, ["a"]);
        assert_eq!(failure::<NullIsEmpty<String>>("{}"), ("byte 0".to_owned(), "expected a list"));
        assert_eq!(failure::<NullIsEmpty<String>>("[\"a\",null]"), ("[1]".to_owned(), "expected a string"));
    }
}
