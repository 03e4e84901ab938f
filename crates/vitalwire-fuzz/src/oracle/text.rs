//! Oracle for texts that must not contain any input. It uses an allowlist: every word must be declared or part of our messages, and every
//! number must be a plausible count.
//!
//! Searching for words of the input instead would cause false alarms, because the fuzzer soon finds an input that contains one of our own
//! words.

use std::collections::BTreeSet;
use std::error::Error as _;
use std::fmt::Debug;
use std::sync::LazyLock;

use vitalwire::{Error, ErrorKind};

use crate::openapi::OPENAPI;

/// Words of error messages and `Debug` output. Declared names, schema names, words of path templates and error kinds are also allowed.
const WORDS: &str = "Error at status 200 GET and argument expected_state headers X Body Signature
    expected a an text true or false integer number list object value date time missing exceed the memory limit
    byte
    not UTF-8 empty truncated JSON malformed unreadable
    absent null items numbers series members fields parameters Some None Ok Err Extra NumberMap SeriesMap Json
    Return user_id provider_slug state Outcome Completed Failed Failure outcome extra unknown
    the redirect has no state more than one is of consent flow protects nothing occur with different values redirect ConsentRedirect
    validation failed malformed authorization header invalid expired jwt application found active
    signature does fit its any key body larger limit 64 hex digits webhook's over missing
    resume_token resume token or damaged longer than an incompatible version start range without it ResumeToken operation parts_left
    which is shorter MiB unchanged
    stream this table Arrow every column have type that supports required in row within supported range
    was made by string return URL match HTTP response such as the body must be
    _manifest dataset block next part failures parquet table month
    written another version unfinished output program damaged remove read everything again move file with";

/// All messages, of which those of cohorts are allowed.
const MESSAGES: &str = include_str!("../../../../tests/error-messages.md");

static ALLOWED: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    let own = words(WORDS).map(str::to_owned);
    let kinds = ErrorKind::ALL.iter().flat_map(|kind| words(kind.as_str())).map(str::to_owned);
    let declared = OPENAPI.names.iter().chain(OPENAPI.schemas.keys()).chain(&OPENAPI.paths).flat_map(|name| [name.clone(), snake(name)]);
    let cohorts = MESSAGES.split("\n## ").filter(|chapter| chapter.starts_with("Cohorts")).flat_map(words).map(str::to_owned);
    own.chain(kinds)
        .chain(cohorts)
        .chain(declared.collect::<Vec<_>>().iter().flat_map(|name| words(name).map(str::to_owned)).collect::<Vec<_>>())
        .collect()
});

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).map(|word| word.trim_end_matches('_')).filter(|word| !word.is_empty())
}

/// Converts a camelCase name to the `snake_case` of our fields.
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

/// Checks that a text contains only allowed words, and numbers that an input of `size` bytes can result in.
pub fn check_text(text: &str, size: usize) {
    for word in words(text) {
        let is_count = word.parse::<usize>().is_ok_and(|number| number <= size);
        assert!(is_count || ALLOWED.contains(word), "a text contains `{word}`: {text}");
    }
    let odd = text.chars().find(|c| !(c.is_alphanumeric() || c.is_ascii_whitespace() || "_.,:;()[]{}<>/*?'-%".contains(*c)));
    assert!(odd.is_none(), "a text contains {odd:?}: {text}");
}

/// Checks both `Debug` formats of a value.
pub fn check_debug(value: &impl Debug, size: usize) {
    check_text(&format!("{value:?}"), size);
    check_text(&format!("{value:#?}"), size);
}

/// Checks all texts of an error and of its causes.
pub fn check_error(error: &Error, size: usize) {
    check_text(&error.to_string(), size);
    check_debug(error, size);
    assert!(error.source().is_none(), "an error about a body keeps a cause, whose text is not ours");
}
