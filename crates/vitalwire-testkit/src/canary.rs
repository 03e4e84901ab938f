//! A canary: a text in all private values of tests, which must not appear in any output.

/// The canary. It is valid as a name, an id and a token, and URL encoding does not change it.
pub const CANARY: &str = "CANARY-7f3a";

/// Panics if a text contains the canary, or a truncated part of it.
pub fn assert_absent(text: &str) {
    assert!(!text.contains("CANARY"), "{text}");
}
