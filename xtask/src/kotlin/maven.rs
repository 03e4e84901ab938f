//! Maven, which builds the Kotlin package.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{execute, has};

/// The package's folder in the workspace.
pub(super) const FOLDER: &str = "bindings/kotlin";

/// Folder of our artifacts in the user's Maven repository. Artifacts of an earlier run must not be used.
const OUR_GROUP: &str = "dev";

/// JVM options for runs of about a minute, in which further optimization costs more than it saves.
pub(super) const SHORT_RUN_OPTIONS: &str = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

/// Downloads the dependencies of the package and its compiler.
///
/// # Errors
/// If Maven fails.
pub(super) fn download(root: &Path) -> anyhow::Result<()> {
    if missing().is_some() {
        return Ok(());
    }
    execute(maven(&root.join(FOLDER)).args(["--quiet", "dependency:resolve", "dependency:resolve-plugins"])).map(drop)
}

/// Returns the tool that is missing for Kotlin builds.
pub(super) fn missing() -> Option<&'static str> {
    (!has("mvn") || !has("java")).then_some("Maven or a JDK is missing")
}

/// Returns a Maven command in the folder of a package.
pub(super) fn maven(package: &Path) -> Command {
    let mut maven = Command::new("mvn");
    if std::env::var_os("MAVEN_OPTS").is_none() {
        maven.env("MAVEN_OPTS", SHORT_RUN_OPTIONS);
    }
    maven.current_dir(package).args(["--batch-mode", "--no-transfer-progress"]);
    maven
}

/// Creates a local Maven repository below a folder. It shares all artifacts of the user's repository except ours.
///
/// # Errors
/// If a folder cannot be created.
pub(super) fn local_repository(folder: &Path) -> anyhow::Result<PathBuf> {
    let local = folder.join("local");
    fs::create_dir_all(&local)?;
    let own = std::env::home_dir().map(|home| home.join(".m2/repository"));
    for entry in own.into_iter().filter_map(|own| fs::read_dir(own).ok()).flatten() {
        let entry = entry?;
        // An earlier command may have created the link.
        if entry.file_name() != OUR_GROUP && !local.join(entry.file_name()).exists() {
            #[cfg(unix)]
            std::os::unix::fs::symlink(entry.path(), local.join(entry.file_name()))?;
        }
    }
    Ok(local)
}
