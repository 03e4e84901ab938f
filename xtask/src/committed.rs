//! Committed files that a command writes, and the check that they are current.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, ensure};

pub(crate) struct CommittedFile {
    /// Relative to the workspace.
    pub(crate) path: String,
    pub(crate) text: String,
}

impl CommittedFile {
    fn is_current(&self, root: &Path) -> bool {
        fs::read(root.join(&self.path)).is_ok_and(|bytes| bytes == self.text.as_bytes())
    }
}

/// Writes the files that are not current.
///
/// # Errors
/// If a file cannot be written.
pub(crate) fn write(root: &Path, files: &[CommittedFile]) -> anyhow::Result<()> {
    let mut written = 0;
    for file in files.iter().filter(|file| !file.is_current(root)) {
        fs::write(root.join(&file.path), &file.text).with_context(|| format!("writing {}", file.path))?;
        written += 1;
    }
    crate::print_line(&format!("{} files, {written} written", files.len()));
    Ok(())
}

/// Checks that the files are current, and writes nothing. The error names `command` as the remedy.
///
/// # Errors
/// If a file is not current.
pub(crate) fn check(root: &Path, files: &[CommittedFile], command: &str) -> anyhow::Result<()> {
    let stale: Vec<&str> = files.iter().filter(|file| !file.is_current(root)).map(|file| file.path.as_str()).collect();
    ensure!(stale.is_empty(), "stale files: {}; run `cargo xtask {command}` and commit the result", stale.join(", "));
    crate::print_line(&format!("{} files are current", files.len()));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_or_missing_file_is_stale_until_it_is_written() {
        let root = tempfile::tempdir().unwrap();
        let files = ["a.txt", "b.txt"].map(|path| CommittedFile { path: path.to_owned(), text: "one\ntwo\n".to_owned() });
        let error = |root: &Path| check(root, &files, "example").unwrap_err().to_string();
        assert_eq!(error(root.path()), "stale files: a.txt, b.txt; run `cargo xtask example` and commit the result");
        write(root.path(), &files).unwrap();
        check(root.path(), &files, "example").unwrap();
        fs::write(root.path().join("b.txt"), "one\n").unwrap();
        assert!(error(root.path()).starts_with("stale files: b.txt;"));
        assert_eq!(fs::read_to_string(root.path().join("b.txt")).unwrap(), "one\n", "a check must not write files");
    }
}
