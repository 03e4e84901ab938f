//! uniffi's bindings for Kotlin as the package has them: seen within it alone, without what nothing calls, and no sooner started than needed.

mod inside;
mod late;
mod lean;

use anyhow::ensure;
use sha2::{Digest as _, Sha256};

use super::uniffi::Probe;
#[cfg(test)]
pub(super) use inside::public_at;

/// uniffi's text, edited.
///
/// # Errors
/// Where it has other places than are edited here.
pub(super) fn edited(text: &str, probe: Probe) -> anyhow::Result<String> {
    let text = late::registered(&inside::inside(text))?;
    let text = if probe == Probe::Left { lean::without_copies(&lean::without_texts(&text)?) } else { text };
    late::parted(&lean::called_alone(&lean::without_companions(&text))?)
}

/// What stands for all that crosses, of uniffi's text: a library and classes that differ in it do not fit each other. It is of code, not of
/// comments.
///
/// # Errors
/// Where the text has no code.
pub(super) fn fingerprint(text: &str) -> anyhow::Result<u64> {
    let lines = text.lines().map(str::trim);
    let code: Vec<&str> = lines.filter(|line| !line.is_empty() && !["//", "/*", "*"].iter().any(|start| line.starts_with(start))).collect();
    ensure!(!code.is_empty(), "the bindings have no code");
    let digest = Sha256::digest(code.join("\n"));
    Ok(digest.iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fingerprint_is_of_code_alone() {
        let with = |comment: &str, code: &str| fingerprint(&format!("/**\n * {comment}\n */\n  {code}\n// {comment}\n")).unwrap();
        assert_eq!(with("a", "fun a() = 1"), with("b", "fun a() = 1"));
        assert_ne!(with("a", "fun a() = 1"), with("a", "fun a() = 2"));
        assert!(fingerprint("// a\n").is_err());
    }
}
