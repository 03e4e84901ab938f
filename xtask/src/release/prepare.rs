//! Prepares a release: raises the version in every manifest, dates the changelog and opens its next section, and writes install lines that
//! name released packages.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, ensure};

use super::tag;
use crate::cargo;
use crate::docs::install;
use crate::git::git;
use crate::notices;
use crate::process::execute;
use crate::versions::{self, CHANGES, UNRELEASED};

/// Sets the version in the checkout at `root`, and gives the unreleased changes this version and today's date.
///
/// # Errors
/// If the version is not higher than the current one, or there are no unreleased changes.
pub(super) fn run(root: &Path, version: &str) -> anyhow::Result<()> {
    let numbers = tag::numbers(version)?;
    let old = versions::workspace(root)?;
    ensure!(numbers >= tag::numbers(&old)?, "the version must be at least {old}");
    let tagged = execute(git(root).args(["tag", "--list", &format!("v{version}")]))?;
    ensure!(tagged.trim().is_empty(), "the tag v{version} exists; choose a higher version");
    let today = execute(Command::new("date").args(["-u", "+%F"]))?;
    date_changes(root, version, today.trim())?;
    raise(root, version)?;
    install::release(root)?;
    let mut update = cargo::command();
    execute(update.current_dir(root).args(["update", "--workspace", "--offline", "--quiet"]))?;
    notices::write_bills(root)?;
    let tag = format!("v{version}");
    tag::check(root, &tag)?;
    // Another process, because this one was compiled with the version before.
    execute(cargo::command().current_dir(root).args(["xtask", "codegen"]))?;
    tag::check_header(root, &tag)?;
    crate::print_line(&format!("every manifest, the C header and {CHANGES} have the version {version}; review and commit the changes"));
    Ok(())
}

/// Replaces the version in every place that states it.
fn raise(root: &Path, version: &str) -> anyhow::Result<()> {
    let old = versions::workspace(root)?;
    let (from, to) = (tag::numbers(&old)?, tag::numbers(version)?);
    ensure!(to > from || (to == from && versions::newest_change(root)? == version), "the version must be higher than {old}");
    for (path, before) in versions::MANIFESTS {
        let path = root.join(path);
        let text = fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
        replace_file(&path, &text.replace(&format!("{before}{old}"), &format!("{before}{version}")))?;
    }
    // Cargo.toml is written last: after an interruption, the next run still reads the old version from it.
    let path = root.join("Cargo.toml");
    let manifest = fs::read_to_string(&path).context("reading Cargo.toml")?;
    replace_file(&path, &with_version(&manifest, &old, version))
}

/// Replaces a file in one step, so that a full disk does not truncate it.
fn replace_file(path: &Path, text: &str) -> anyhow::Result<()> {
    let new = PathBuf::from(format!("{}.new", path.display()));
    let written = fs::write(&new, text).and_then(|()| fs::rename(&new, path));
    written.with_context(|| format!("writing {}", path.display()))
}

/// Returns the workspace's manifest with another version of the workspace and of its members.
fn with_version(manifest: &str, old: &str, version: &str) -> String {
    let own = |line: &str| line.starts_with("version = ") || line.contains("path = \"");
    let replaced = |line: &str| {
        let exact = line.replace(&format!("\"={old}\""), &format!("\"={version}\""));
        exact.replace(&format!("version = \"{old}\""), &format!("version = \"{version}\""))
    };
    manifest.lines().map(|line| if own(line) { replaced(line) } else { line.to_owned() } + "\n").collect()
}

/// Gives the unreleased changes a heading with the version and a date, below an empty section for the next changes.
///
/// # Errors
/// If the newest section is that of another version.
pub(super) fn date_changes(root: &Path, version: &str, date: &str) -> anyhow::Result<()> {
    let newest = versions::newest_change(root)?;
    if newest == version {
        return Ok(());
    }
    ensure!(newest == UNRELEASED, "{CHANGES} has no unreleased changes; add a section `## {UNRELEASED}`");
    let path = root.join(CHANGES);
    let changes = fs::read_to_string(&path).with_context(|| format!("reading {CHANGES}"))?;
    replace_file(&path, &changes.replacen(&format!("## {UNRELEASED}"), &format!("## {UNRELEASED}\n\n## {version} ({date})"), 1))
}

#[cfg(test)]
mod tests {
    use super::super::tag::tests::ready;
    use super::*;

    #[test]
    fn every_place_gets_the_version() {
        let folder = ready();
        let root = folder.path();
        fs::write(root.join(CHANGES), "# Changelog\n\n## Unreleased\n\n* News\n\n## 1.2.3\n").unwrap();
        date_changes(root, "1.3.0", "2026-12-31").unwrap();
        raise(root, "1.3.0").unwrap();
        tag::check(root, "v1.3.0").unwrap();
        let expected = "# Changelog\n\n## Unreleased\n\n## 1.3.0 (2026-12-31)\n\n* News\n\n## 1.2.3\n";
        assert_eq!(fs::read_to_string(root.join(CHANGES)).unwrap(), expected);
        // Again, after an interruption.
        date_changes(root, "1.3.0", "2027-01-01").unwrap();
        raise(root, "1.3.0").unwrap();
        assert_eq!(fs::read_to_string(root.join(CHANGES)).unwrap(), expected);
    }

    #[test]
    fn a_lower_version_and_missing_changes_are_errors() {
        let folder = ready();
        assert_eq!(raise(folder.path(), "1.2.2").unwrap_err().to_string(), "the version must be higher than 1.2.3");
        let error = date_changes(folder.path(), "1.3.0", "2026-12-31").unwrap_err().to_string();
        assert_eq!(error, "CHANGELOG.md has no unreleased changes; add a section `## Unreleased`");
    }

    #[test]
    fn versions_of_other_packages_remain() {
        let manifest = "version = \"1.2.3\"\na = { path = \"crates/a\", version = \"=1.2.3\" }\nb = { path = \"crates/b\", version = \"1.2.3\" }\nc = \"1.2.3\"\n";
        let expected = "version = \"1.3.0\"\na = { path = \"crates/a\", version = \"=1.3.0\" }\nb = { path = \"crates/b\", version = \"1.3.0\" }\nc = \"1.2.3\"\n";
        assert_eq!(with_version(manifest, "1.2.3", "1.3.0"), expected);
    }
}
