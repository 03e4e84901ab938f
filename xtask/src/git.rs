//! git commands that do not depend on variables and settings of this machine.

use std::path::Path;
use std::process::Command;

/// Returns a git command for the repository at `folder`. It ignores variables, because `GIT_DIR` could name another repository. It ignores
/// settings, because they could add hooks and filters or replace addresses.
pub(crate) fn git(folder: &Path) -> Command {
    let mut git = Command::new("git");
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("GIT_")) {
        git.env_remove(name);
    }
    git.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", "/dev/null").arg("-C").arg(folder);
    git
}
