//! A whole body: UTF-8 checked once, read fast, and read again with its path only where that failed.

use std::marker::PhantomData;

use serde::de::{DeserializeOwned, DeserializeSeed};
use serde_json::error::Category;

use super::as_text;
use super::reading::{self, Mode};

/// Why a body could not be read, without anything of the body.
#[derive(Debug, PartialEq, Eq)]
pub struct DecodeFailure {
    /// Where, for example `statistics[3].from_timestamp`, or `byte 17` of the body where it cannot be read further.
    pub place: String,
    /// What is wrong there; one of a fixed set of texts.
    pub reason: &'static str,
}

/// What our own visitors say; anything else a parser says may hold a value and is not passed on.
const REASONS: [&str; 11] = [
    "expected a string",
    "expected true or false",
    "expected an integer",
    "expected a number",
    "expected a list",
    "expected an object",
    "expected a value",
    "expected a date-time",
    "expected a date",
    "missing",
    reading::EXCEEDED,
];

/// The member names that specifications declare, sorted: a place is made of no other.
pub type Declared = &'static [&'static str];

/// Reads a body.
pub fn from_slice<T: DeserializeOwned>(body: &[u8], names: Declared) -> Result<T, DecodeFailure> {
    seeded(body, names, |_| PhantomData::<T>)
}

/// Reads a body by a seed, which is made from the body's text: a second time where the first reading failed, to find the place.
pub(crate) fn seeded<V, S>(body: &[u8], names: Declared, seed: impl Fn(&str) -> S) -> Result<V, DecodeFailure>
where
    S: for<'de> DeserializeSeed<'de, Value = V>,
{
    let Ok(text) = simdutf8::basic::from_utf8(body) else {
        let valid = std::str::from_utf8(body).map_or_else(|error| error.valid_up_to(), str::len);
        return Err(DecodeFailure { place: byte(valid), reason: "not UTF-8" });
    };
    let read = || {
        let mut parser = serde_json::Deserializer::from_str(text);
        let value = seed(text).deserialize(&mut parser)?;
        parser.end().map(|()| value)
    };
    let read = |mode| reading::of_body(mode, text.len(), read);
    let mut result = read(Mode::Quick);
    if result.as_ref().is_err_and(|error| error.is_data() || as_text::is_leaf(error)) {
        result = read(Mode::Thorough);
    }
    result.map_err(|error| explain(text, &error, names, &seed))
}

fn explain<V, S>(text: &str, error: &serde_json::Error, names: Declared, seed: &impl Fn(&str) -> S) -> DecodeFailure
where
    S: for<'de> DeserializeSeed<'de, Value = V>,
{
    let reason = match error.classify() {
        Category::Data => return locate(text, names, seed),
        Category::Eof => {
            let reason = if text.trim_ascii().is_empty() { "empty" } else { "truncated JSON" };
            return DecodeFailure { place: byte(text.len()), reason };
        }
        // No model is nested deeply, and what no model knows is read without recursion.
        Category::Syntax | Category::Io => "malformed JSON",
    };
    DecodeFailure { place: byte(offset(text, error)), reason }
}

/// A place that no name leads to.
fn byte(offset: usize) -> String {
    format!("byte {offset}")
}

/// Where reading stopped, in bytes. The parser counts lines, and columns in bytes from 1.
fn offset(text: &str, error: &serde_json::Error) -> usize {
    let lines = text.split_inclusive('\n').take(error.line().saturating_sub(1));
    (lines.map(str::len).sum::<usize>() + error.column().saturating_sub(1)).min(text.len())
}

fn locate<V, S>(text: &str, names: Declared, seed: &impl Fn(&str) -> S) -> DecodeFailure
where
    S: for<'de> DeserializeSeed<'de, Value = V>,
{
    let mut parser = serde_json::Deserializer::from_str(text);
    let mut track = serde_path_to_error::Track::new();
    let tracked = serde_path_to_error::Deserializer::new(&mut parser, &mut track);
    let Err(error) = reading::of_body(Mode::Places, text.len(), || seed(text).deserialize(tracked)) else {
        return DecodeFailure { place: byte(0), reason: "unreadable" };
    };
    let message = error.to_string();
    let mut place = path_text(&track.path(), names);
    if let Some(member) = missing_member(&message, names) {
        if !place.is_empty() {
            place.push('.');
        }
        return DecodeFailure { place: place + member, reason: "missing" };
    }
    if place.is_empty() {
        place = byte(text.len() - text.trim_ascii_start().len());
    }
    let reason = REASONS.iter().find(|reason| message.starts_with(*reason)).copied().unwrap_or("unreadable");
    DecodeFailure { place, reason }
}

/// The declared name in serde's "missing field `x`".
fn missing_member(message: &str, names: Declared) -> Option<&'static str> {
    let name = message.strip_prefix("missing field `")?.split('`').next()?;
    declared(name, names)
}

fn declared(name: &str, names: Declared) -> Option<&'static str> {
    names.binary_search(&name).ok().and_then(|at| names.get(at).copied())
}

/// Names that the specification does not declare come from the service and might be personal: they are shown as `*`.
fn path_text(path: &serde_path_to_error::Path, names: Declared) -> String {
    use serde_path_to_error::Segment;
    let mut text = String::new();
    for segment in path {
        match segment {
            Segment::Seq { index } => text.push_str(&format!("[{index}]")),
            Segment::Map { key } => {
                if !text.is_empty() {
                    text.push('.');
                }
                text.push_str(declared(key, names).unwrap_or("*"));
            }
            Segment::Enum { .. } | Segment::Unknown => text.push('?'),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::value::decode::NullIsEmpty;

    fn failure<T: DeserializeOwned>(body: &str) -> (String, &'static str) {
        let failure = from_slice::<T>(body.as_bytes(), &["metrics", "stages", "status"]).err().unwrap();
        (failure.place, failure.reason)
    }

    #[test]
    fn only_declared_names_are_in_a_place() {
        type Unknown = BTreeMap<String, BTreeMap<String, Vec<bool>>>;
        for (name, shown) in
            [("jane@example.org", "*"), ("stages", "stages"), ("Stages", "*"), ("stages ", "*"), ("", "*"), ("[0].stages", "*")]
        {
            let body = format!("{{\"{name}\":{{\"metrics\":[true,5]}}}}");
            assert_eq!(failure::<Unknown>(&body).0, format!("{shown}.metrics[1]"));
        }
    }

    /// serde quotes the value in its own texts: those are replaced.
    #[test]
    fn only_our_own_reasons_are_passed_on() {
        assert_eq!(failure::<Vec<u8>>("[1,300]"), ("[1]".to_owned(), "unreadable"));
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
        assert_eq!(failure::<Vec<Both>>("[{\"janes_secret\":true}]"), ("[0].status".to_owned(), "missing"));
        assert_eq!(failure::<Vec<Both>>("[{\"status\":true}]"), ("[0]".to_owned(), "missing"));
    }

    #[test]
    fn null_is_an_empty_list_and_nothing_else_is() {
        assert!(from_slice::<NullIsEmpty<String>>(b"null", &[]).unwrap().0.is_empty());
        assert_eq!(from_slice::<NullIsEmpty<String>>(b"[\"a\"]", &[]).unwrap().0, ["a"]);
        assert_eq!(failure::<Vec<NullIsEmpty<String>>>("[[],{}]"), ("[1]".to_owned(), "expected a list"));
        assert_eq!(failure::<NullIsEmpty<String>>("[\"a\",null]"), ("[1]".to_owned(), "expected a string"));
    }
}
