//! The checkout that a release is built from: a clean clone in which the changelog has the date and the commit has the tag.

use std::path::{Path, PathBuf};

use anyhow::ensure;

use super::prepare;
use crate::docs::install;
use crate::folder;
use crate::git::git;
use crate::process::execute;

/// Name and address of the commit in the clone, which is never pushed.
const AUTHOR: [&str; 4] = ["-c", "user.name=Rehearsal", "-c", "user.email=rehearsal@localhost"];

/// Clones the commit that is checked out at `root` below `folder`. Unless the commit has the tag, dates the changelog, writes install lines
/// that name released packages, and sets the tag.
///
/// # Errors
/// If the checkout has changes, or another commit has the tag.
pub(super) fn clone_with_tag(root: &Path, tag: &str, folder: &Path) -> anyhow::Result<PathBuf> {
    check_clean(root)?;
    let commit = |name: &str| execute(git(root).args(["rev-parse", "--verify", "--quiet", &format!("{name}^{{commit}}")]));
    let (head, tagged) = (commit("HEAD")?, commit(&format!("refs/tags/{tag}")).ok());
    ensure!(tagged.is_none() || tagged.as_ref() == Some(&head), "the tag {tag} is that of another commit; raise the version");
    let (clone, earlier) = (folder.join("source"), folder.join("earlier-source"));
    folder::remove(&earlier)?;
    if clone.exists() {
        std::fs::rename(&clone, &earlier)?;
    }
    execute(git(folder).args(["clone", "--quiet", "--no-hardlinks"]).arg(root).arg(&clone))?;
    let cloned = execute(git(&clone).args(["rev-parse", "HEAD"]))?;
    ensure!(cloned == head, "the clone has the commit {}, not {}", cloned.trim(), head.trim());
    if tagged.is_none() {
        release(root, &clone, tag)?;
    }
    keep_times(&earlier, &clone)?;
    folder::remove(&earlier)?;
    Ok(clone)
}

/// Checks that the checkout at `root` has no changes. cargo has already changed a lock file that does not match the manifests.
///
/// # Errors
/// If it has changes.
pub(super) fn check_clean(root: &Path) -> anyhow::Result<()> {
    let changed = execute(git(root).args(["status", "--porcelain"]))?;
    ensure!(changed.trim().is_empty(), "the checkout has changes; commit or remove them:\n{}", changed.trim_end());
    Ok(())
}

/// Dates the changelog, writes install lines by name, and sets the tag.
fn release(root: &Path, clone: &Path, tag: &str) -> anyhow::Result<()> {
    prepare::date_changes(clone, tag.trim_start_matches('v'), "rehearsal")?;
    install::release(clone)?;
    // The date of the cloned commit, so that the same checkout gives the same packages.
    let date = execute(git(root).args(["show", "--no-patch", "--format=%cI", "HEAD"]))?;
    let dated = |arguments: &[&str]| {
        let mut git = git(clone);
        git.args(AUTHOR).args(arguments).env("GIT_AUTHOR_DATE", date.trim()).env("GIT_COMMITTER_DATE", date.trim());
        execute(&mut git).map(drop)
    };
    // The commit is empty after `--prepare`, which has dated the changelog.
    dated(&["commit", "--quiet", "--all", "--allow-empty", "--message", tag])?;
    dated(&["tag", "--annotate", "--message", tag, tag])
}

/// Gives files that are the same as in an earlier clone the modification times that they have there. Otherwise cargo would build everything
/// again when a failed rehearsal is repeated, which takes many minutes.
fn keep_times(earlier: &Path, clone: &Path) -> anyhow::Result<()> {
    for file in folder::files(clone)? {
        let name = file.strip_prefix(clone)?;
        let before = earlier.join(name);
        if name.starts_with(".git") || !before.is_file() || std::fs::read(&before)? != std::fs::read(&file)? {
            continue;
        }
        std::fs::File::options().write(true).open(&file)?.set_modified(before.metadata()?.modified()?)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::versions::CHANGES;

    fn checkout() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        execute(git(folder.path()).args(["init", "--quiet"])).unwrap();
        let files = [
            (CHANGES, "# Changelog\n\n## Unreleased\n\n* News\n"),
            ("Cargo.toml", "[workspace.package]\nversion = \"1.2.3\"\n"),
            (install::DATA, "# Lines\nreleased = false\n\n[a]\ntoday = \"no\"\nreleased = \"{version}\"\n"),
            ("README.md", "<!-- install a -->\nno\n<!-- end of install -->\n"),
        ];
        std::fs::create_dir(folder.path().join("docs")).unwrap();
        files.iter().for_each(|(path, text)| std::fs::write(folder.path().join(path), text).unwrap());
        execute(git(folder.path()).args(["add", "."])).unwrap();
        execute(git(folder.path()).args(AUTHOR).args(["commit", "--quiet", "--message", "a"])).unwrap();
        folder
    }

    #[test]
    fn the_clone_has_the_tag_and_the_version_in_its_changelog() {
        let (checkout, folder) = (checkout(), tempfile::tempdir().unwrap());
        let clone = clone_with_tag(checkout.path(), "v1.2.3", folder.path()).unwrap();
        let commit = execute(git(&clone).args(["rev-parse", "HEAD"])).unwrap();
        let again = clone_with_tag(checkout.path(), "v1.2.3", folder.path()).unwrap();
        assert_eq!(execute(git(&again).args(["rev-parse", "HEAD"])).unwrap(), commit);
        assert_eq!(
            std::fs::read_to_string(clone.join(CHANGES)).unwrap(),
            "# Changelog\n\n## Unreleased\n\n## 1.2.3 (rehearsal)\n\n* News\n"
        );
        assert_eq!(std::fs::read_to_string(clone.join("README.md")).unwrap(), "<!-- install a -->\n1.2.3\n<!-- end of install -->\n");
        assert_eq!(execute(git(&clone).args(["describe", "--exact-match"])).unwrap(), "v1.2.3\n");
        assert_eq!(execute(git(checkout.path()).args(["tag", "--list"])).unwrap(), "", "the checkout must stay as it was");
    }

    #[test]
    fn unchanged_files_keep_their_times() {
        let (checkout, folder) = (checkout(), tempfile::tempdir().unwrap());
        let times = |clone: &Path| {
            let time = |name: &str| clone.join(name).metadata().unwrap().modified().unwrap();
            (time("Cargo.toml"), time(CHANGES))
        };
        let first = times(&clone_with_tag(checkout.path(), "v1.2.3", folder.path()).unwrap());
        std::fs::write(checkout.path().join(CHANGES), "# Changelog\n\n## Unreleased\n\n* More\n").unwrap();
        execute(git(checkout.path()).args(AUTHOR).args(["commit", "--quiet", "--all", "--message", "b"])).unwrap();
        let second = times(&clone_with_tag(checkout.path(), "v1.2.3", folder.path()).unwrap());
        assert_eq!(first.0, second.0);
        assert!(first.1 < second.1);
    }

    #[test]
    fn a_prepared_checkout_has_nothing_to_commit() {
        let (checkout, folder) = (checkout(), tempfile::tempdir().unwrap());
        std::fs::write(checkout.path().join(CHANGES), "# Changelog\n\n## 1.2.3 (2026-12-31)\n").unwrap();
        execute(git(checkout.path()).args(AUTHOR).args(["commit", "--quiet", "--all", "--message", "b"])).unwrap();
        let clone = clone_with_tag(checkout.path(), "v1.2.3", folder.path()).unwrap();
        assert_eq!(execute(git(&clone).args(["describe", "--exact-match"])).unwrap(), "v1.2.3\n");
    }

    #[test]
    fn changes_and_the_tag_of_another_commit_are_errors() {
        let (checkout, folder) = (checkout(), tempfile::tempdir().unwrap());
        let error = |tag: &str| clone_with_tag(checkout.path(), tag, folder.path()).unwrap_err().to_string();
        execute(git(checkout.path()).args(["tag", "v1.2.3"])).unwrap();
        clone_with_tag(checkout.path(), "v1.2.3", folder.path()).unwrap();
        execute(git(checkout.path()).args(AUTHOR).args(["commit", "--quiet", "--allow-empty", "--message", "b"])).unwrap();
        assert_eq!(error("v1.2.3"), "the tag v1.2.3 is that of another commit; raise the version");
        std::fs::write(checkout.path().join("new"), "").unwrap();
        assert_eq!(error("v1.2.4"), "the checkout has changes; commit or remove them:\n?? new");
    }
}
