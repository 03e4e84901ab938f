//! Programs from the npm registry, in exact versions.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use crate::process::execute;

/// Returns a program of a package (`name@version`). Installs the package below `folder` if necessary.
///
/// # Errors
/// If npm fails.
pub(crate) fn program(folder: &Path, package: &str, program: &str) -> anyhow::Result<PathBuf> {
    Ok(self::package(folder, package, program)?.join(".bin").join(program))
}

/// Returns the folder with a package and its dependencies. Installs it in `name` below `folder` if necessary.
///
/// # Errors
/// If npm fails.
pub(crate) fn package(folder: &Path, package: &str, name: &str) -> anyhow::Result<PathBuf> {
    static LOCK: Mutex<()> = Mutex::new(());
    let _guard = LOCK.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = folder.join(name);
    let complete = folder.join("complete");
    if std::fs::read_to_string(&complete).ok().as_deref() != Some(package) {
        std::fs::create_dir_all(&folder)?;
        let options = ["install", "--silent", "--no-audit", "--no-fund", "--prefix", "."];
        execute(Command::new("npm").current_dir(&folder).args(options).arg(package))?;
        std::fs::write(&complete, package)?;
    }
    Ok(folder.join("node_modules"))
}
