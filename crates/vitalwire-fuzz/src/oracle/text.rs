//! Nothing of an input in any text, by a list of what may be there: every word is ours or declared, every number counts something.
//!
//! Words of the input are not looked for: an input that holds one of our own words would be a false alarm, and the engine would
//! soon find it.

use std::collections::BTreeSet;
use std::error::Error as _;
use std::fmt::Debug;
use std::sync::LazyLock;

use vitalwire::{Error, ErrorKind};

use crate::openapi::OPENAPI;

/// Words of error texts and of `Debug`s, besides declared names, names of schemas, words of path templates and kinds of errors.
const WORDS: &str = "Error at status 200 GET and argument expected_state headers X Body Signature
    expected a an text true or false integer number list object value date time missing takes too much memory
    byte
    not UTF-8 empty truncated JSON malformed unreadable
    absent null items numbers series members parameters Some None Ok Err Extra NumberMap SeriesMap Json
    Return user_id provider_slug state Outcome Completed Failed Failure outcome extra unknown
    the return has no state more than one is return's of consent flow protects nothing occurs twice with different values redirect ConsentRedirect
    validation failed malformed authorization header invalid expired jwt application found active
    signature does fit its any key body larger limit 64 hex digits webhook's over missing
    resume_token resume token or damaged longer than another version ResumeToken operation parts_left
    stream this table
    was made by string return URL match HTTP response such as the body must be";

static ALLOWED: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    let own = words(WORDS).map(str::to_owned);
    let kinds = ErrorKind::ALL.iter().flat_map(|kind| words(kind.as_str())).map(str::to_owned);
    let declared = OPENAPI.names.iter().chain(OPENAPI.schemas.keys()).chain(&OPENAPI.paths).flat_map(|name| [name.clone(), snake(name)]);
    own.chain(kinds)
        .chain(declared.collect::<Vec<_>>().iter().flat_map(|name| words(name).map(str::to_owned)).collect::<Vec<_>>())
        .collect()
});

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).map(|word| word.trim_end_matches('_')).filter(|word| !word.is_empty())
}

/// `snake_case` of a camelCase name: how our members are called.
fn snake(name: &str) -> String {
    let (mut text, mut low) = (String::new(), false);
    for c in name.chars() {
        if c.is_uppercase() && low {
            text.push('_');
        }
        low = c.is_lowercase();
        text.extend(c.to_lowercase());
    }
    text
}

/// A text holds only words that are allowed, and numbers of what `size` bytes can hold.
pub fn clean(text: &str, size: usize) {
    for word in words(text) {
        let counts = word.parse::<usize>().is_ok_and(|number| number <= size);
        assert!(counts || ALLOWED.contains(word), "a text holds `{word}`: {text}");
    }
    let odd = text.chars().find(|c| !(c.is_alphanumeric() || c.is_ascii_whitespace() || "_.,:;()[]{}<>/*?'-%".contains(*c)));
    assert!(odd.is_none(), "a text holds {odd:?}: {text}");
}

/// Both `Debug`s of a value.
pub fn clean_debug(value: &impl Debug, size: usize) {
    clean(&format!("{value:?}"), size);
    clean(&format!("{value:#?}"), size);
}

/// All texts of an error and of its causes.
pub fn clean_error(error: &Error, size: usize) {
    clean(&error.to_string(), size);
    clean_debug(error, size);
    assert!(error.source().is_none(), "an error about a body keeps a cause, whose text is not ours");
}
