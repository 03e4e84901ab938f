//! Target for resume tokens of ranges, which may come from untrusted storage.

use vitalwire::range::ResumeToken;
use vitalwire::{Error, ErrorKind};

use crate::oracle::{memory, text};

/// Reads any text as a token.
pub fn run(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    check(text, &str::parse);
}

/// Parses a token.
pub type Parse<'a> = &'a dyn Fn(&str) -> Result<ResumeToken, Error>;

/// Checks that a token is rejected, or is written as an equivalent token.
pub fn check(input: &str, parse: Parse<'_>) {
    match memory::check_memory(input.as_bytes(), |_| parse(input)) {
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::InvalidArgument);
            text::check_text(&error.to_string(), input.len());
        }
        Ok(token) => {
            let written = token.to_string();
            let again = parse(&written).expect("a token that was written");
            assert!(again == token && again.to_string() == written, "a token changes when it is written and read");
            assert!(token.parts_left() > 0 && input.contains(token.operation()), "a token without parts");
            let shown = format!("ResumeToken {{ operation: {:?}, parts_left: {}, .. }}", token.operation(), token.parts_left());
            assert_eq!(format!("{token:?}"), shown, "a token shows its range");
        }
    }
}
