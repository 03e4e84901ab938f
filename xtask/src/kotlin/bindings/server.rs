//! Moves the bindings that only servers need into the artifact `vitalwire-server`.

use anyhow::ensure;

use crate::uniffi::lines::join_lines;
use crate::uniffi::server_declarations;

/// Starts of declarations, after they were made internal.
const DECLARATIONS: [&str; 1] = ["internal "];
const FUNCTIONS: [&str; 1] = ["internal fun `server"];

/// Package of the bindings, and of those for servers. A package in two jars could not be used by Java's modules.
const PACKAGE: &str = "package dev.vitalwire.ffi\n";
const SERVER_PACKAGE: &str = "package dev.vitalwire.server.ffi\n\nimport dev.vitalwire.ffi.*\n";

/// Splits the bindings into those of every package and those for servers. The latter call functions of the former, which therefore become
/// internal.
///
/// # Errors
/// If there are none, or the text has another package.
pub(super) fn split(text: &str) -> anyhow::Result<(String, String)> {
    ensure!(text.contains(PACKAGE), "uniffi's output is not in the package `dev.vitalwire.ffi`");
    let lines: Vec<&str> = text.lines().collect();
    let (mut kept, mut server, mut at) = (Vec::new(), Vec::new(), 0);
    for range in server_declarations(&lines, &DECLARATIONS, &FUNCTIONS)? {
        kept.extend(&lines[at..range.start]);
        server.extend(&lines[range.clone()]);
        at = range.end;
    }
    kept.extend(&lines[at..]);
    let package = lines.iter().position(|line| PACKAGE.trim_end() == *line).unwrap_or_default();
    let imports: Vec<&str> = lines.iter().copied().filter(|line| line.starts_with("import ")).collect();
    let head = join_lines(&lines[..package]) + SERVER_PACKAGE + &join_lines(&imports);
    Ok((make_shared(&join_lines(&kept)), head + &join_lines(&server)))
}

/// Makes private top-level functions internal.
fn make_shared(text: &str) -> String {
    let line = |line: &str| match line.strip_prefix("private ") {
        Some(rest) if rest.starts_with("fun") || rest.starts_with("inline fun") => format!("internal {rest}\n"),
        _ => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}
