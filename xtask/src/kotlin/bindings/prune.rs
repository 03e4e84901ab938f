//! Removes unused declarations from uniffi's output, because applications ship its classes and the library's functions.

use std::collections::BTreeMap;

use anyhow::{Context as _, ensure};

use crate::uniffi::lines::{end, join_lines};

/// Start of a record's text function, which calls the library.
const TEXT: &str = "    override fun toString(): String {";
const DEBUG: &str = "_uniffi_trait_debug(";

const COMPANION: &str = "companion object";

/// Prefixes of uniffi's own declarations.
const UNIFFI_PREFIXES: [&str; 3] = ["FfiConverter", "ForeignBytes", "Uniffi"];
const KINDS: [&str; 3] = ["class ", "interface ", "object "];

/// Start of the declaration of a library function, which spans two lines.
const FUNCTION: &str = "    external fun ";
const FUNCTION_END: &str = "    ): ";

/// Converts data classes to plain classes, because only the probe's tests compare or copy records.
pub(super) fn make_plain_classes(text: &str) -> String {
    let line = |line: &str| {
        let at = line.find("data class ").filter(|at| matches!(line[..*at].trim(), "" | "internal"));
        at.map_or_else(|| format!("{line}\n"), |at| format!("{}{}\n", &line[..at], &line[at + "data ".len()..]))
    };
    text.lines().map(line).collect()
}

/// Removes the text functions of records, which would call the library. The package's own classes define `toString`.
///
/// # Errors
/// If there is no such function, or one has no closing brace.
pub(super) fn remove_text_functions(text: &str) -> anyhow::Result<String> {
    let lines: Vec<&str> = text.lines().collect();
    let (mut left, mut at, mut found) = (Vec::new(), 0, 0);
    while at < lines.len() {
        if lines[at] == TEXT {
            let end = end(&lines, at).context("a text function has no closing brace")?;
            if lines[at..end].iter().any(|line| line.contains(DEBUG)) {
                // Remove the function's documentation too.
                left.pop_if(|line: &mut &str| line.trim().starts_with("//"));
                (at, found) = (end, found + 1);
                continue;
            }
        }
        left.push(lines[at]);
        at += 1;
    }
    ensure!(found > 0, "no record has a text function that calls the library; update TEXT or DEBUG");
    Ok(join_lines(&left))
}

/// Removes companion objects without members.
pub(super) fn remove_empty_companions(text: &str) -> String {
    let (mut left, mut class) = (Vec::new(), "");
    for line in text.lines() {
        class = declared_class(line).unwrap_or(class);
        if line.trim() != COMPANION || text.contains(&format!("{class}.Companion")) {
            left.push(line);
        }
    }
    join_lines(&left)
}

/// Keeps only the library functions that are called, and uniffi's own classes that are used.
///
/// # Errors
/// If a function has an unexpected form.
pub(super) fn keep_called_functions(text: &str) -> anyhow::Result<String> {
    let mut text = text.to_owned();
    loop {
        let lines: Vec<&str> = text.lines().collect();
        let counts = words(&lines);
        let (mut left, mut at) = (Vec::new(), 0);
        while at < lines.len() {
            match unused_end(&lines, at, &counts)? {
                Some(end) => {
                    // Annotations and comments precede their declaration.
                    while left.last().is_some_and(|line: &&str| ["@", "//", "/**", " *"].iter().any(|start| line.starts_with(start))) {
                        left.pop();
                    }
                    at = end;
                }
                None => {
                    left.push(lines[at]);
                    at += 1;
                }
            }
        }
        if left.len() == lines.len() {
            return Ok(text);
        }
        text = join_lines(&left);
    }
}

/// Returns the end of the declaration on a line, if nothing else refers to it.
fn unused_end(lines: &[&str], at: usize, counts: &BTreeMap<&str, usize>) -> anyhow::Result<Option<usize>> {
    if let Some(function) = declared_function(lines[at]) {
        let ends = lines.get(at + 1).is_some_and(|line| line.starts_with(FUNCTION_END));
        ensure!(ends, "a library function must have two lines: {}", lines[at]);
        return Ok((counts[function] == 1).then_some(at + 2));
    }
    let is_uniffi = |name: &&str| UNIFFI_PREFIXES.iter().any(|own| name.starts_with(own));
    let Some(name) = declared_class(lines[at]).filter(is_uniffi) else { return Ok(None) };
    let Some(end) = end(lines, at) else { return Ok(None) };
    Ok((words(&lines[at..end])[name] == counts[name]).then_some(end))
}

/// Returns the name of the library function that a line declares.
pub(super) fn declared_function(line: &str) -> Option<&str> {
    line.strip_prefix(FUNCTION).map(name)
}

/// Returns the name of the top-level class that a line declares.
fn declared_class(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("internal ")?;
    let at = KINDS.iter().find_map(|kind| Some(rest.find(kind)? + kind.len()))?;
    Some(name(&rest[at..])).filter(|name| !name.is_empty())
}

fn name(text: &str) -> &str {
    &text[..text.find(|letter: char| !is_word_character(letter)).unwrap_or(text.len())]
}

fn is_word_character(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// Counts the words in lines.
fn words<'a>(lines: &[&'a str]) -> BTreeMap<&'a str, usize> {
    let mut counts = BTreeMap::new();
    for line in lines {
        for word in line.split(|letter| !is_word_character(letter)).filter(|word| !word.is_empty()) {
            *counts.entry(word).or_insert(0) += 1;
        }
    }
    counts
}
