//! uniffi's bindings for Kotlin as edited for the package: internal visibility, no unused code, no comments, and deferred
//! initialization.

mod lazy_registration;
mod prune;
mod server;
mod visibility;

use anyhow::{Context as _, ensure};
use sha2::{Digest as _, Sha256};

use vitalwire_codegen::file::File;

use crate::uniffi::lines::remove_comments;
use crate::uniffi::{FINGERPRINT, Generator, Probe};

/// The bindings for Kotlin.
pub(super) const GENERATOR: Generator = Generator { language: "kotlin", sources: &["dev/vitalwire/ffi/vitalwire.kt"], excluded: &[], edit };

/// Files with the ABI fingerprint: one of the library, one of the Kotlin classes. Swift uses uniffi's checksums.
const FINGERPRINTS: [&str; 2] = ["crates/vitalwire-uniffi/src/fingerprint.rs", "bindings/kotlin/src/main/kotlin/generated/Fingerprint.kt"];

const BINDINGS: &str = "bindings/kotlin/src/main/kotlin/generated/Ffi.kt";
const SERVER_BINDINGS: &str = "bindings/kotlin/server/src/main/kotlin/generated/Ffi.kt";

fn edit(texts: &[String], probe: Probe) -> anyhow::Result<Vec<File>> {
    let text = texts.first().context("uniffi wrote no Kotlin bindings")?;
    let mut files = Vec::new();
    if probe == Probe::Excluded {
        files.extend(fingerprints(fingerprint(text)?));
    }
    let edited = apply_edits(text, probe).and_then(|text| server::split(&text)).context("editing the Kotlin bindings")?;
    files.extend([File::new(BINDINGS, remove_comments(&edited.0)), File::new(SERVER_BINDINGS, remove_comments(&edited.1))]);
    Ok(files)
}

/// Edits uniffi's text.
///
/// # Errors
/// If the text has an unexpected form.
fn apply_edits(text: &str, probe: Probe) -> anyhow::Result<String> {
    let text = lazy_registration::register_lazily(&visibility::make_internal(text))?;
    let text = if probe == Probe::Excluded { prune::make_plain_classes(&prune::remove_text_functions(&text)?) } else { text };
    lazy_registration::split_library_object(&prune::keep_called_functions(&prune::remove_empty_companions(&text))?)
}

/// Returns a hash of uniffi's code, without comments. A library and classes with different hashes are incompatible.
///
/// # Errors
/// If the text has no code.
fn fingerprint(text: &str) -> anyhow::Result<u64> {
    let lines = text.lines().map(str::trim);
    let code: Vec<&str> = lines.filter(|line| !line.is_empty() && !["//", "/*", "*"].iter().any(|start| line.starts_with(start))).collect();
    ensure!(!code.is_empty(), "the bindings have no code");
    let digest = Sha256::digest(code.join("\n"));
    Ok(digest.iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte)))
}

/// Returns the files with the fingerprint of the library and the one that the classes expect. The files are not part of the hash.
fn fingerprints(number: u64) -> [File; 2] {
    let digits = format!("{number:016x}");
    let number = format!("0x{}_{}_{}_{}", &digits[..4], &digits[4..8], &digits[8..12], &digits[12..]);
    let rust = format!(
        "//! Fingerprint by which the Kotlin bindings recognise this library.\n\n/// Hash of all functions that the bindings call. Bindings that \
         expect another number have another version.\n#[uniffi::export]\npub fn {FINGERPRINT}() -> u64 {{\n    {number}\n}}\n"
    );
    let kotlin = format!(
        "package dev.vitalwire.ffi\n\n/** Fingerprint of the library that these classes work with. */\n\
         internal const val FINGERPRINT: ULong = {number}uL\n"
    );
    [File::new(FINGERPRINTS[0], rust), File::new(FINGERPRINTS[1], kotlin)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fingerprint_ignores_comments() {
        let with = |comment: &str, code: &str| fingerprint(&format!("/**\n * {comment}\n */\n  {code}\n// {comment}\n")).unwrap();
        assert_eq!(with("a", "fun a() = 1"), with("b", "fun a() = 1"));
        assert_ne!(with("a", "fun a() = 1"), with("a", "fun a() = 2"));
        assert!(fingerprint("// a\n").is_err());
    }
}
