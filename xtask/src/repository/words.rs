//! Checks that texts follow the rules of `docs/style.md` that a program can see.

mod rules;

use std::process::Command;

use anyhow::Context as _;

use crate::process::execute;
use crate::steps::{Context, Count, Outcome};

/// Files that quote bad examples, and the changelog.
const EXCLUDED: [&str; 4] = ["CHANGELOG.md", "CONTRIBUTING.md", "docs/style.md", "xtask/src/repository/words/rules.rs"];

/// Searches every tracked file, generated ones included, and prints the findings. Each finding is a failure.
pub(super) fn run(context: &Context) -> anyhow::Result<Outcome> {
    let files = execute(Command::new("git").args(["ls-files", "-z"]).current_dir(&context.root))?;
    let mut findings = Vec::new();
    for file in files.split('\0').filter(|file| rules::applies_to(file) && !EXCLUDED.contains(file)) {
        let path = context.root.join(file);
        // Skip files that were deleted but not yet committed.
        if path.is_file() {
            let text = std::fs::read_to_string(&path).with_context(|| format!("reading {file}"))?;
            findings.extend(rules::findings(file, &text));
        }
    }
    for finding in &findings {
        crate::print_line(finding);
    }
    Ok(Outcome::Ran(Count { passed: usize::from(findings.is_empty()), failed: findings.len(), flaky: 0 }))
}
