//! Removes unused declarations from uniffi's output, because an application links every library function that they name.

use std::collections::BTreeSet;

use anyhow::{Context as _, ensure};

use crate::uniffi::lines::{end, join_lines};

/// Start of a record's text function. It would pass the record to the library, which needs code to read each field.
const TEXT: &str = "public var debugDescription: String {";
const DEBUG: &str = "_uniffi_trait_debug(";

/// Type of a record that is passed to the library.
const RECORD_TYPE: &str = "FfiConverterType";
const RECORD_TYPE_END: &str = "_lower(self)";

/// Start of the guard of each function in the header.
const GUARD: &str = "#ifndef UNIFFI_FFIDEF_";
const GUARD_END: &str = "#endif";

/// Makes the text functions of records return type names, so that they show no values. The package's own records have texts.
///
/// # Errors
/// If there is no such function, or one has an unexpected form.
pub(super) fn remove_text_functions(text: &str) -> anyhow::Result<String> {
    let lines: Vec<&str> = text.lines().collect();
    let (mut left, mut at, mut found) = (Vec::new(), 0, 0);
    while at < lines.len() {
        left.push(lines[at].to_owned());
        if lines[at] == TEXT {
            let end = end(&lines, at).context("a text function has no closing brace")?;
            let body = lines[at..end].concat();
            if body.contains(DEBUG) {
                let of = body
                    .split_once(RECORD_TYPE)
                    .and_then(|(_, rest)| rest.split_once(RECORD_TYPE_END))
                    .context("a text function names no type")?
                    .0;
                // Remove its documentation and name the type.
                left.truncate(left.len().saturating_sub(2));
                left.extend([TEXT.to_owned(), format!("    return \"{of}\""), "}".to_owned()]);
                (at, found) = (end, found + 1);
                continue;
            }
        }
        at += 1;
    }
    ensure!(found > 0, "no record has a text function that calls the library; update TEXT or DEBUG");
    Ok(left.iter().map(|line| format!("{line}\n")).collect())
}

/// Removes functions that the bindings do not name from the header.
///
/// # Errors
/// If a function has an unexpected form.
pub(super) fn keep_called_functions(header: &str, bindings: &str) -> anyhow::Result<String> {
    let lines: Vec<&str> = header.lines().collect();
    let named: BTreeSet<&str> = bindings.split(|letter: char| !letter.is_alphanumeric() && letter != '_').collect();
    let (mut left, mut at) = (Vec::new(), 0);
    while at < lines.len() {
        let Some(guard) = lines[at].strip_prefix(GUARD) else {
            left.push(lines[at]);
            at += 1;
            continue;
        };
        let length = lines[at..].iter().position(|line| *line == GUARD_END).context("a function of the header has no `#endif`")? + 1;
        let name = guard.to_lowercase();
        if !lines[at + 1..at + length].iter().any(|line| line.contains(&format!("{name}("))) || named.contains(name.as_str()) {
            left.extend(&lines[at..at + length]);
        }
        at += length;
    }
    ensure!(left.len() < lines.len(), "no function of the header is unused; update GUARD");
    Ok(join_lines(&left))
}
