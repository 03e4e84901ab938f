//! Checks the workspace's README: its code, as on pages of the site, and its length.

use std::path::Path;

use anyhow::Context as _;

use super::page::Page;
use super::{install, snippet};

pub(super) const README: &str = "README.md";

/// Maximum number of lines: one screen, then links.
const MAX_LINES: usize = 90;

/// Returns the problems of the README.
pub(super) fn problems(root: &Path) -> anyhow::Result<Vec<String>> {
    let text = std::fs::read_to_string(root.join(README)).with_context(|| format!("reading {README}"))?;
    let mut problems = Vec::new();
    snippet::check(root, Page::new(README.into(), README, &text), &mut problems);
    let shown = text.lines().filter(|line| !install::is_mark(line)).count();
    if shown > MAX_LINES {
        problems.push(format!("{README}: has {shown} lines; at most {MAX_LINES} fit"));
    }
    Ok(problems)
}
