//! Compares the code in the workspace's README with its source files.
//!
//! A comment before each block names the file: `<!-- FILE:NAME -->`.

use std::path::Path;

use anyhow::Context as _;

use super::{install, snippet};

pub(super) const README: &str = "README.md";

/// Maximum number of lines: one screen, then links.
const MAX_LINES: usize = 90;

/// Returns the problems of the README.
pub(super) fn problems(root: &Path) -> anyhow::Result<Vec<String>> {
    let text = std::fs::read_to_string(root.join(README)).with_context(|| format!("reading {README}"))?;
    let lines: Vec<&str> = text.lines().collect();
    let mut problems = Vec::new();
    let shown = lines.iter().filter(|line| !install::is_mark(line)).count();
    if shown > MAX_LINES {
        problems.push(format!("{README}: has {shown} lines; at most {MAX_LINES} fit"));
    }
    let mut at = 0;
    while let Some(start) = lines.iter().skip(at).position(|line| line.starts_with("```")).map(|found| at + found) {
        let length = lines[start + 1..].iter().take_while(|line| !line.starts_with("```")).count();
        let (place, block) = (format!("{README}:{}", start + 1), &lines[start + 1..start + 1 + length]);
        let named = lines[..start].iter().rev().find(|line| !line.is_empty());
        match named.and_then(|line| line.strip_prefix("<!-- ")?.strip_suffix(" -->")) {
            None => problems.push(format!("{place}: typed code; name the file that it is cut from: <!-- FILE:NAME -->")),
            Some(name) => match snippet::read(root, name) {
                Ok(found) if found == block => {}
                Ok(_) => problems.push(format!("{place}: differs from {name}")),
                Err(problem) => problems.push(format!("{place}: {problem}")),
            },
        }
        at = start + length + 2;
    }
    Ok(problems)
}
