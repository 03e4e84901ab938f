//! git, independent of variables and settings of this machine.

use std::path::Path;
use std::process::Command;

/// Returns a git command for the repository at `folder`. Variables such as `GIT_DIR` could name another one, and settings could add hooks and
/// filters or replace addresses.
pub(crate) fn git(folder: &Path) -> Command {
    let mut git = Command::new("git");
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("GIT_")) {
        git.env_remove(name);
    }
    git.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", "/dev/null").arg("-C").arg(folder);
    git
}
