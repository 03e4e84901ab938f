//! Maven, which compiles the Kotlin package.

use std::path::Path;
use std::process::Command;

use crate::process::{has, must};

/// The package's place in the workspace.
pub(super) const FOLDER: &str = "bindings/kotlin";

/// For a JVM that runs for a minute: code that is optimised for longer costs more than it gains.
pub(super) const BRIEF: &str = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

/// Loads what the package and its compiler need.
///
/// # Errors
/// Where Maven fails.
pub(super) fn load(root: &Path) -> anyhow::Result<()> {
    if missing().is_some() {
        return Ok(());
    }
    must(maven(&root.join(FOLDER)).args(["--quiet", "dependency:resolve", "dependency:resolve-plugins"])).map(drop)
}

/// What is missing to build anything for Kotlin.
pub(super) fn missing() -> Option<&'static str> {
    (!has("mvn") || !has("java")).then_some("no Maven or no JDK")
}

/// A command of Maven in the folder of a package.
pub(super) fn maven(package: &Path) -> Command {
    let mut maven = Command::new("mvn");
    if std::env::var_os("MAVEN_OPTS").is_none() {
        maven.env("MAVEN_OPTS", BRIEF);
    }
    maven.current_dir(package).args(["--batch-mode", "--no-transfer-progress"]);
    maven
}
