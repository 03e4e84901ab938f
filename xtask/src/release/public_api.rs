//! Compares the public API of every language with the last release, and finds the lowest version that semantic versioning allows.

use std::path::Path;

use anyhow::{Context as _, ensure};

use super::tag;
use crate::archive::unpack;
use crate::build::target;
use crate::folder;
use crate::git::git;
use crate::languages;
use crate::process::{execute, on_ci};
use crate::public_api::{Checkouts, Effect};

/// Languages to compare.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    All,
    /// Languages whose comparison compiles nothing and takes seconds.
    Fast,
}

/// Compares the workspace at `root` with the release of a tag. Prints every change. Defaults to the highest version that is tagged before
/// the current commit.
///
/// # Errors
/// If `version` is too low for the changes, or a comparison fails, or a tool is missing on a CI machine.
pub(super) fn run(root: &Path, release: Option<&str>, version: &str, scope: Scope) -> anyhow::Result<()> {
    // A tag of the current commit is excluded, because it is the release to check.
    let list = ["tag", "--list", "v*", "--merged", "HEAD", "--no-contains", "HEAD"];
    let tags = execute(git(root).args(list))?;
    let Some(release) = release.or_else(|| newest(&tags)) else {
        crate::print_line("no earlier release to compare with");
        return Ok(());
    };
    let released = tag::numbers(tag::version(release)?)?;
    let work = target(root)?.join("compare");
    let before = work.join("before");
    check_out(root, release, &before)?;
    let checkouts = Checkouts { before: &before, after: root, work: &work };
    let (mut effects, mut skipped) = (Vec::new(), Vec::new());
    for api in languages::ALL.map(|language| language.public_api()) {
        let name = api.name;
        let missing = if scope == Scope::Fast && api.compiles {
            Some("the comparison takes minutes; run `cargo xtask release --compare`")
        } else {
            let missing = (api.missing)(root)?;
            ensure!(missing.is_none() || !on_ci(), "{name} cannot be compared: {}", missing.unwrap_or_default());
            missing
        };
        if let Some(missing) = missing {
            crate::print_line(&format!("{name}: not compared: {missing}"));
            skipped.push(name);
            continue;
        }
        let changes = (api.changes)(&checkouts).with_context(|| format!("comparing {name} with {release}"))?;
        let effect = changes.iter().map(|change| change.effect).max();
        let summary = effect.map_or("no changes", name_of);
        crate::print_line(&format!("{name}: {summary}"));
        for change in &changes {
            crate::print_line(&format!("  {}: {}", name_of(change.effect), change.text));
        }
        effects.extend(effect.map(|effect| (name, effect)));
    }
    let effect = effects.iter().map(|(_, effect)| *effect).max();
    let lowest = lowest_version(released, effect);
    let text = lowest.map(|number| number.to_string()).join(".");
    let reason = reason(effect, &effects, &skipped);
    crate::print_line(&format!("lowest version after {release}: {text} ({reason})"));
    ensure!(tag::numbers(version)? >= lowest, "the version must be at least {text}, not {version}: {reason} since {release}");
    Ok(())
}

/// Returns the languages that decide the lowest version, and those that were not compared.
fn reason(effect: Option<Effect>, effects: &[(&str, Effect)], skipped: &[&str]) -> String {
    let causes: Vec<&str> = effects.iter().filter(|(_, found)| Some(*found) == effect).map(|(name, _)| *name).collect();
    let reason = effect.map_or_else(|| "no changes".to_owned(), |effect| format!("{} in {}", name_of(effect), causes.join(", ")));
    if skipped.is_empty() { reason } else { format!("{reason}; not compared: {}", skipped.join(", ")) }
}

fn name_of(effect: Effect) -> &'static str {
    match effect {
        Effect::Breaking => "breaking",
        Effect::Addition => "addition",
    }
}

/// Returns the tag with the highest version. Ignores tags that are no version.
fn newest(tags: &str) -> Option<&str> {
    let numbers = |tag: &str| tag::numbers(tag::version(tag).ok()?).ok();
    tags.lines().filter(|tag| numbers(tag).is_some()).max_by_key(|tag| numbers(tag))
}

/// Writes the files of a tag into a folder.
fn check_out(root: &Path, release: &str, to: &Path) -> anyhow::Result<()> {
    folder::remove(to)?;
    std::fs::create_dir_all(to)?;
    let archive = to.with_extension("tar.gz");
    let commit = format!("refs/tags/{release}");
    execute(git(root).args(["archive", "--output"]).arg(&archive).arg(commit))?;
    unpack(&archive, to).map(drop)
}

/// Returns the lowest version after a release, by cargo's rules. A breaking change raises the first number that is not 0. An addition
/// raises the second number, or the last number before 1.0.
fn lowest_version(released: [u32; 3], effect: Option<Effect>) -> [u32; 3] {
    match (released, effect) {
        (_, None) => released,
        ([0, 0, patch], Some(_)) => [0, 0, patch + 1],
        ([0, minor, _], Some(Effect::Breaking)) => [0, minor + 1, 0],
        ([0, minor, patch], Some(Effect::Addition)) => [0, minor, patch + 1],
        ([major, ..], Some(Effect::Breaking)) => [major + 1, 0, 0],
        ([major, minor, _], Some(Effect::Addition)) => [major, minor + 1, 0],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_tag_has_the_highest_version() {
        assert_eq!(newest("v0.9.0\nv0.10.0\nv0.10.0-rc1\nvendor\n"), Some("v0.10.0"));
        assert_eq!(newest("vendor\n"), None);
    }

    #[test]
    fn the_lowest_version_follows_the_rules_of_cargo() {
        for released in [[0, 0, 3], [0, 2, 3], [1, 2, 3]] {
            assert_eq!(lowest_version(released, None), released);
        }
        assert_eq!(lowest_version([0, 0, 3], Some(Effect::Addition)), [0, 0, 4]);
        assert_eq!(lowest_version([0, 0, 3], Some(Effect::Breaking)), [0, 0, 4]);
        assert_eq!(lowest_version([0, 2, 3], Some(Effect::Addition)), [0, 2, 4]);
        assert_eq!(lowest_version([0, 2, 3], Some(Effect::Breaking)), [0, 3, 0]);
        assert_eq!(lowest_version([1, 2, 3], Some(Effect::Addition)), [1, 3, 0]);
        assert_eq!(lowest_version([1, 2, 3], Some(Effect::Breaking)), [2, 0, 0]);
    }

    #[test]
    fn the_reason_names_languages_that_were_not_compared() {
        let effects = [("C", Effect::Breaking), ("Python", Effect::Addition)];
        assert_eq!(reason(Some(Effect::Breaking), &effects, &[]), "breaking in C");
        assert_eq!(reason(None, &[], &["Rust", "Swift"]), "no changes; not compared: Rust, Swift");
    }

    #[test]
    fn a_checkout_without_releases_has_nothing_to_compare() {
        let folder = tempfile::tempdir().unwrap();
        let git = |arguments: &[&str]| execute(git(folder.path()).args(arguments)).unwrap();
        git(&["init", "--quiet"]);
        git(&["-c", "user.name=a", "-c", "user.email=a@localhost", "commit", "--quiet", "--allow-empty", "--message", "a"]);
        git(&["tag", "v0.1.0"]);
        run(folder.path(), None, "0.1.0", Scope::All).unwrap();
    }
}
