//! Declarations in uniffi's texts that only libraries for servers have. Their names begin with `server`; see
//! `crates/vitalwire-uniffi/src/server`.

use std::ops::Range;

use anyhow::{Context as _, ensure};
use memchr::memmem;

use super::lines::end;

/// The wrapper's feature with these declarations.
pub(crate) const FEATURE: &str = "server";

/// Start of their types' names, also within the names of uniffi's own classes.
const TYPE: &str = "Server";
/// Start of their functions in the library, after the kind of function. No other name has it: `_rangeobserver` has no `_server`.
const FUNCTION: &str = "_server";

/// Start of the names of their top-level functions in the symbol table of a library.
const SYMBOL: &str = "uniffi_vitalwire_uniffi_fn_func_server_";

/// A guarded attribute of uniffi's Swift code, which belongs to the declaration that follows.
const ATTRIBUTE: [&str; 3] = ["#if swift(>=5.8)", "@_documentation(visibility: private)", "#endif"];

/// Whether a name of the library is that of a function for servers.
pub(crate) fn is_server_function(name: &str) -> bool {
    name.to_lowercase().contains(FUNCTION)
}

/// Returns the lines of each declaration for servers, with the comments and blank lines before it. Adjacent ones are merged. `starts` are
/// the starts of lines that declare something; a function's line may have others before its name.
///
/// # Errors
/// If a declaration has no closing brace, or there is none.
pub(crate) fn declarations(lines: &[&str], starts: &[&str], functions: &[&str]) -> anyhow::Result<Vec<Range<usize>>> {
    let (mut found, mut at) = (Vec::<Range<usize>>::new(), 0);
    while at < lines.len() {
        let line = lines[at];
        let declares = starts.iter().any(|start| line.starts_with(start)) && line.split(['{', '(']).next().unwrap_or(line).contains(TYPE);
        if !declares && !functions.iter().any(|function| line.contains(function)) {
            at += 1;
            continue;
        }
        let end = end(lines, at).with_context(|| format!("a declaration has no closing brace: {line}"))?;
        let last = found.last().map_or(0, |range| range.end);
        let start = start(lines, at, last);
        match found.last_mut() {
            Some(range) if range.end == start => range.end = end,
            _ => found.push(start..end),
        }
        at = end;
    }
    ensure!(!found.is_empty(), "uniffi's output has no declaration for servers");
    Ok(found)
}

/// Checks that a static library for phones was built without the functions for servers, which take keys.
///
/// # Errors
/// If it has such a function.
pub(crate) fn check_phone_library(archive: &[u8]) -> anyhow::Result<()> {
    let found = memmem::find(archive, SYMBOL.as_bytes()).is_some();
    ensure!(!found, "the library was built with the feature `{FEATURE}`, but no library for phones may have functions that take keys");
    Ok(())
}

/// Returns the first line of the comments, attributes and blank lines before a declaration.
fn start(lines: &[&str], declaration: usize, earliest: usize) -> usize {
    let mut at = declaration;
    while at > earliest {
        if at >= earliest + ATTRIBUTE.len() && lines[at - ATTRIBUTE.len()..at] == ATTRIBUTE {
            at -= ATTRIBUTE.len();
            continue;
        }
        let before = lines[at - 1].trim();
        if !before.is_empty() && !["//", "/*", "*", "@"].iter().any(|start| before.starts_with(start)) {
            break;
        }
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with the committed bindings, which name every function of a library.
    #[test]
    fn a_library_for_phones_has_no_function_that_takes_a_key() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../bindings");
        let read = |file: &str| std::fs::read(folder.join(file)).unwrap();
        for phones in ["kotlin/src/main/kotlin/generated/Ffi.kt", "swift/Sources/CVitalwireFFI/CVitalwireFFI.h"] {
            check_phone_library(&read(phones)).unwrap();
        }
        for servers in ["kotlin/server/src/main/kotlin/generated/Ffi.kt", "swift/Sources/CVitalwireFFI/CVitalwireServerFFI.h"] {
            assert!(check_phone_library(&read(servers)).is_err(), "{servers}");
        }
    }
}
