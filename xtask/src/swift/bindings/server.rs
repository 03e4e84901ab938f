//! Separates the bindings that only servers need: a condition in Swift, and a header of their own.

use anyhow::{Context as _, ensure};

use crate::uniffi::lines::{end, join_lines};
use crate::uniffi::{is_server_function, server_declarations};

/// Systems whose libraries have the functions.
const CONDITION: &str = "#if os(Linux) || os(macOS)";
const CONDITION_END: &str = "#endif";

const DECLARATIONS: [&str; 4] = ["public ", "open ", "fileprivate ", "extension "];
const FUNCTIONS: [&str; 1] = ["public func server"];

/// Start of the statement that compares the checksum of a function.
const CHECKSUM: &str = "    if (uniffi_";

/// Start and end of a function in the header.
const GUARD: &str = "#ifndef UNIFFI_FFIDEF_";
const GUARD_END: &str = "#endif";

/// Puts the declarations for servers, and the checks of their functions, under a condition.
///
/// # Errors
/// If there are none.
pub(super) fn add_conditions(bindings: &str) -> anyhow::Result<String> {
    let lines: Vec<&str> = bindings.lines().collect();
    let mut ranges = server_declarations(&lines, &DECLARATIONS, &FUNCTIONS)?;
    let mut checks = 0;
    for (at, line) in lines.iter().enumerate() {
        if line.starts_with(CHECKSUM) && is_server_function(line) {
            let end = end(&lines, at).context("the check of a function has no closing brace")?;
            match ranges.last_mut() {
                Some(range) if range.end == at => range.end = end,
                _ => ranges.push(at..end),
            }
            checks += 1;
        }
    }
    ensure!(checks > 0, "uniffi checks no function for servers; update CHECKSUM");
    let (mut edited, mut at) = (Vec::new(), 0);
    for range in ranges {
        edited.extend(&lines[at..range.start]);
        edited.push(CONDITION);
        edited.extend(&lines[range.clone()]);
        edited.push(CONDITION_END);
        at = range.end;
    }
    edited.extend(&lines[at..]);
    Ok(join_lines(&edited))
}

/// Splits the header into the functions of every library and those for servers.
///
/// # Errors
/// If there are none.
pub(super) fn split_header(header: &str, name: &str) -> anyhow::Result<(String, String)> {
    let lines: Vec<&str> = header.lines().collect();
    let (mut kept, mut server, mut at) = (Vec::new(), Vec::new(), 0);
    while at < lines.len() {
        if lines[at].strip_prefix(GUARD).is_some_and(is_server_function) {
            let length = lines[at..].iter().position(|line| *line == GUARD_END).context("a function of the header has no `#endif`")? + 1;
            server.extend(&lines[at..at + length]);
            at += length;
        } else {
            kept.push(lines[at]);
            at += 1;
        }
    }
    ensure!(!server.is_empty(), "the header has no function for servers");
    let start = lines.iter().take_while(|line| line.starts_with("//")).copied().collect::<Vec<_>>();
    let head = format!("{}\n#pragma once\n\n#include \"{name}\"\n\n", join_lines(&start));
    Ok((join_lines(&kept), head + &join_lines(&server)))
}
