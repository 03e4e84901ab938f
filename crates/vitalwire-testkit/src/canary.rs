//! A text that must appear nowhere: whatever is private in a test holds it.

/// The text. It is a name, an id and a token alike, and no part of a URL changes it.
pub const CANARY: &str = "CANARY-7f3a";

/// Fails where a text holds the canary, or a part of it that a cut has left.
pub fn assert_absent(text: &str) {
    assert!(!text.contains("CANARY"), "{text}");
}
