//! The one place that touches files of the workspace: write, or compare.

use std::fs;
use std::path::Path;

use anyhow::{Context, bail};
use similar::TextDiff;

/// Lines of a diff that are printed for one file.
const DIFF_LINES: usize = 40;

/// A file to write.
pub(super) struct Text {
    /// Relative to the workspace.
    pub(super) path: String,
    pub(super) text: String,
}

/// Writes what differs.
///
/// # Errors
/// Where a file cannot be written.
pub(super) fn write(root: &Path, texts: &[Text]) -> anyhow::Result<()> {
    let mut written = 0;
    for text in texts.iter().filter(|text| differs(root, text)) {
        let path = root.join(&text.path);
        // Written beside and renamed: a file is whole or not there.
        let part = path.with_extension("part");
        fs::write(&part, &text.text).and_then(|()| fs::rename(&part, &path)).with_context(|| format!("writing {}", text.path))?;
        written += 1;
    }
    crate::say(&format!("notices: {} files, {written} written", texts.len()));
    Ok(())
}

/// Compares; prints what differs.
///
/// # Errors
/// Where a file does.
pub(super) fn check(root: &Path, texts: &[Text]) -> anyhow::Result<()> {
    let stale: Vec<&Text> = texts.iter().filter(|text| differs(root, text)).collect();
    for text in &stale {
        let old = fs::read_to_string(root.join(&text.path)).unwrap_or_default();
        crate::say(&diff(&text.path, &old, &text.text));
    }
    if !stale.is_empty() {
        bail!("{} licence files are stale; run `cargo xtask notices` and commit the result", stale.len());
    }
    crate::say(&format!("notices: {} files are up to date", texts.len()));
    Ok(())
}

fn differs(root: &Path, text: &Text) -> bool {
    fs::read(root.join(&text.path)).ok().as_deref() != Some(text.text.as_bytes())
}

fn diff(path: &str, old: &str, new: &str) -> String {
    let diff = TextDiff::from_lines(old, new);
    let mut unified = diff.unified_diff();
    let text = unified.context_radius(1).header(&format!("committed/{path}"), &format!("written/{path}")).to_string();
    let lines: Vec<&str> = text.lines().collect();
    let more = lines.len().saturating_sub(DIFF_LINES);
    let tail = if more > 0 { format!("\n... {more} more lines") } else { String::new() };
    format!("{}{tail}", lines[..lines.len() - more].join("\n"))
}
