//! The Kotlin package on a desktop JVM, by Maven: its tests and the conformance runner are compiled once, in a copy that has the echo probe.

mod next;
mod shipped;

use std::path::{Path, PathBuf};
use std::process::Command;

use super::uniffi::{library_folder, package_with_probe};
use crate::build::target;
use crate::once::Once;
use crate::process::{has, must};

pub(crate) use shipped::{PARTS, Shipped, shipped};

/// Loads what the package and its compiler need.
///
/// # Errors
/// Where Maven fails.
pub(crate) fn load(root: &Path) -> anyhow::Result<()> {
    if missing().is_some() {
        return Ok(());
    }
    must(maven(&root.join(FOLDER)).args(["--quiet", "dependency:resolve", "dependency:resolve-plugins"])).map(drop)
}

/// What is missing to build anything for Kotlin.
pub(crate) fn missing() -> Option<&'static str> {
    (!has("mvn") || !has("java")).then_some("no Maven or no JDK")
}

/// The file of options with which `java` is the runner of the conformance cases, built.
pub(crate) fn conformance_runner(root: &Path) -> anyhow::Result<PathBuf> {
    let package = compiled(root)?;
    let classes = package.join("target");
    let mut paths = vec![classes.join("test-classes"), classes.join("classes")];
    paths.extend(std::env::split_paths(std::fs::read_to_string(package.join(CLASS_PATH))?.trim()));
    let options = package.join("conformance.options");
    let quoted = |text: String| format!("\"{}\"", text.replace('\\', "\\\\"));
    let lines = [
        BRIEF.replace(' ', "\n"),
        "-classpath".to_owned(),
        quoted(std::env::join_paths(paths)?.to_string_lossy().into_owned()),
        quoted(format!("-Djna.library.path={}", library_folder(root)?.display())),
        "dev.vitalwire.conformance.MainKt".to_owned(),
    ];
    std::fs::write(&options, lines.join("\n"))?;
    Ok(options)
}

/// The package's place in the workspace.
pub(crate) const FOLDER: &str = "bindings/kotlin";
/// A file in the compiled package: what it depends on.
const CLASS_PATH: &str = "classpath";

/// The copy of the package with the probe, its tests compiled too.
pub(crate) fn compiled(root: &Path) -> anyhow::Result<PathBuf> {
    static MADE: Once<PathBuf> = Once::new();
    MADE.get(|| {
        let package = target(root)?.join("kotlin");
        let further = [("pom.xml", "pom.xml"), (PROBE, "src/probe/kotlin/dev/vitalwire/ProbeTest.kt")];
        let next = next::release(root)?;
        let made: Vec<(&str, String)> = next.iter().map(|(place, text)| (place.as_str(), text.clone())).collect();
        package_with_probe(
            root,
            FOLDER,
            &package,
            &["src/main", "src/test", "testing/src/main", "serialization/src/main"],
            &further,
            &made,
        )?;
        let mut build = maven(&package);
        build.args(["test-compile", "dependency:build-classpath", "-Dmdep.includeScope=test"]);
        must(build.arg(format!("-Dmdep.outputFile={}", package.join(CLASS_PATH).display())))?;
        Ok(package)
    })
}

/// Where the tests of the probe are in the copy.
const PROBE: &str = "src/test/kotlin/dev/vitalwire/ProbeTest.kt";

/// For a JVM that runs for a minute: code that is optimised for longer costs more than it gains.
pub(crate) const BRIEF: &str = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

pub(crate) fn maven(package: &Path) -> Command {
    let mut maven = Command::new("mvn");
    if std::env::var_os("MAVEN_OPTS").is_none() {
        maven.env("MAVEN_OPTS", BRIEF);
    }
    maven.current_dir(package).args(["--batch-mode", "--no-transfer-progress"]);
    maven
}
