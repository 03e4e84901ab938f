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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_for_servers_are_moved() {
        let text = "@file:Suppress(\"A\")\n\npackage dev.vitalwire.ffi\n\nimport a.B\n\nprivate inline fun <U> call(): U {\n}\nprivate val a = 1\n\n\
                    // A verifier.\ninternal class ServerVerifier {\n    private fun b() = 1\n}\ninternal class Other {\n    private fun c() = 1\n}\n";
        let (kept, server) = split(text).unwrap();
        assert_eq!(
            kept,
            "@file:Suppress(\"A\")\n\npackage dev.vitalwire.ffi\n\nimport a.B\n\ninternal inline fun <U> call(): U {\n}\nprivate val a = 1\n\
             internal class Other {\n    private fun c() = 1\n}\n"
        );
        assert_eq!(
            server,
            "@file:Suppress(\"A\")\n\npackage dev.vitalwire.server.ffi\n\nimport dev.vitalwire.ffi.*\nimport a.B\n\n// A verifier.\n\
             internal class ServerVerifier {\n    private fun b() = 1\n}\n"
        );
        assert!(split("package dev.vitalwire.ffi\nclass A\n").is_err());
    }
}
