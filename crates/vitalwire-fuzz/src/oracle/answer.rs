//! Decoding one body.

use std::fmt::Debug;

use serde::Serialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use vitalwire::ErrorKind;

use super::{Decode, kept, memory, text};

/// A body either becomes a value that holds all of it, or an error that says nothing of it.
pub fn answer<T: Serialize + PartialEq + Debug>(body: &[u8], decode: Decode<'_, T>) {
    match memory::bounded(body, decode) {
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::Decode);
            text::clean_error(&error, body.len());
        }
        Ok(value) => {
            text::clean_debug(&value, body.len());
            serde_json::from_slice::<IgnoredAny>(body).expect("what is no JSON is no answer");
            // A number beyond a double, half a surrogate pair and deep nesting are kept as text, which a `Value` cannot hold.
            if let Ok(read) = serde_json::from_slice::<Value>(body) {
                kept::kept(&read, &serde_json::to_value(&value).expect("a model can be written"));
            }
            again(&value, decode);
        }
    }
}

/// What is written reads as the same value, and is written the same again, up to the spelling of a number: beside one beyond a double
/// the others of an unexpected type keep theirs, and without it they do not.
fn again<T: Serialize + PartialEq>(value: &T, decode: Decode<'_, T>) {
    let written = serde_json::to_vec(value).expect("a model can be written");
    let second = decode(&written).expect("what was written can be read");
    assert!(*value == second, "a value is another one after it was written and read");
    let rewritten = serde_json::to_vec(&second).expect("a model can be written");
    let json = |text: &[u8]| serde_json::from_slice::<Value>(text).ok();
    let same = written == rewritten || json(&written).is_some_and(|value| json(&rewritten) == Some(value));
    assert!(same, "a value is written in two ways");
}
