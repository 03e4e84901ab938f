//! `cargo xtask release`: what must be true of a tag before anything of it is published.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use anyhow::{Context, bail, ensure};
use clap::Args;

use crate::versions::{CHANGES, newest, stated, workspace};

/// The branch that releases are made from.
const MAIN: &str = "origin/main";

/// Compare a release's tag with every manifest, the changelog and the main branch; publishes nothing.
#[derive(Debug, Args)]
pub(crate) struct Release {
    /// The tag: `v` and the version, as in v0.1.0.
    #[arg(long)]
    tag: String,
}

impl Release {
    /// Checks the checkout at `root`.
    ///
    /// # Errors
    /// Where something differs; the text has a line for each.
    pub(crate) fn run(&self, root: &Path) -> anyhow::Result<()> {
        let version = version(&self.tag)?;
        let mut problems = numbers(root, version)?;
        problems.extend(history(root, &self.tag)?);
        ensure!(problems.is_empty(), "{} is not ready to be released:\n  {}", self.tag, problems.join("\n  "));
        crate::say(&format!("{} is the version of every manifest and of the changelog, and its commit is on main", self.tag));
        Ok(())
    }
}

/// The version that a tag names.
fn version(tag: &str) -> anyhow::Result<&str> {
    let number = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_digit());
    match tag.strip_prefix('v') {
        Some(version) if version.split('.').count() == 3 && version.split('.').all(number) => Ok(version),
        _ => bail!("the tag of a release is `v` and three numbers, as in v0.1.0, not `{tag}`"),
    }
}

/// Places that state another version.
fn numbers(root: &Path, version: &str) -> anyhow::Result<Vec<String>> {
    let mut places = vec![("Cargo.toml".to_owned(), workspace(root)?)];
    places.extend(stated(root)?);
    places.push((format!("{CHANGES}, newest heading"), newest(root)?));
    let other = places.into_iter().filter(|(_, found)| found != version);
    Ok(other.map(|(place, found)| format!("{place}: `{found}` where the tag says `{version}`")).collect())
}

/// What is wrong with the commit.
fn history(root: &Path, tag: &str) -> anyhow::Result<Vec<String>> {
    let mut problems = Vec::new();
    let head = git(root, &["rev-parse", "--verify", "HEAD"])?;
    ensure!(head.status.success(), "{} is no git checkout with a commit: {}", root.display(), text(&head.stderr));
    if !git(root, &["status", "--porcelain", "--untracked-files=no"])?.stdout.is_empty() {
        problems.push("files differ from the commit: commit them, or put them aside".to_owned());
    }
    // Before it is made, a tag can be asked for as well.
    let tagged = git(root, &["rev-parse", "--quiet", "--verify", &format!("refs/tags/{tag}^{{commit}}")])?;
    if tagged.status.success() && tagged.stdout != head.stdout {
        problems.push(format!("the tag is at {}, the checkout at {}: git checkout {tag}", text(&tagged.stdout), text(&head.stdout)));
    }
    let merged = git(root, &["merge-base", "--is-ancestor", "HEAD", MAIN])?;
    match merged.status.code() {
        Some(0) => {}
        Some(1) => problems.push(format!("the commit is not on {MAIN}: merge it first, or git fetch origin")),
        _ => problems.push(format!("{MAIN} is not known here: git fetch origin ({})", text(&merged.stderr))),
    }
    Ok(problems)
}

fn git(root: &Path, arguments: &[&str]) -> anyhow::Result<Output> {
    Command::new("git").current_dir(root).args(arguments).stdin(Stdio::null()).output().context("git cannot be started")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).trim().to_owned()
}

#[cfg(test)]
mod tests;
