//! The Kotlin package on a desktop JVM, by Maven: its tests and the conformance runner are compiled once, in a copy that has the echo probe.

mod next;
mod shipped;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::uniffi::{library_folder, package_with_probe};
use crate::build::target;
use crate::once::Once;
use crate::process::{has, must};
use crate::unpack::files;

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
    let options = package.join("conformance.options");
    let quoted = |text: String| format!("\"{}\"", text.replace('\\', "\\\\"));
    let lines = [
        BRIEF.replace(' ', "\n"),
        "-classpath".to_owned(),
        quoted(class_path(&package)?.to_string_lossy().into_owned()),
        quoted(format!("-Djna.library.path={}", library_folder(root)?.display())),
        "dev.vitalwire.conformance.MainKt".to_owned(),
    ];
    std::fs::write(&options, lines.join("\n"))?;
    Ok(options)
}

/// A program of those that measure the package, over the native library in `libraries`.
///
/// # Errors
/// Where it cannot be compiled.
pub(crate) fn bench(root: &Path, libraries: &Path, program: &str, options: &[&str]) -> anyhow::Result<Command> {
    let package = compiled(root)?;
    let mut java = Command::new("java");
    java.args(options).arg(format!("-Djna.library.path={}", libraries.display()));
    java.arg("-classpath").arg(class_path(&package)?).arg(format!("dev.vitalwire.bench.{program}Kt"));
    Ok(java)
}

/// Classes of the package and of its tests, and what they depend on.
fn class_path(package: &Path) -> anyhow::Result<OsString> {
    let classes = package.join("target");
    let mut paths = vec![classes.join("test-classes"), classes.join("classes")];
    paths.extend(std::env::split_paths(std::fs::read_to_string(package.join(CLASS_PATH))?.trim()));
    Ok(std::env::join_paths(paths)?)
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
        let mut made = next::release(root)?;
        // Measures use the probe too.
        for file in files(&root.join(FOLDER).join(MEASURES))? {
            let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            made.push((format!("{MEASURES_PLACE}/{name}"), std::fs::read_to_string(&file)?));
        }
        let made: Vec<(&str, String)> = made.iter().map(|(place, text)| (place.as_str(), text.clone())).collect();
        package_with_probe(
            root,
            FOLDER,
            &package,
            &["src/main", "src/test", "testing/src/main", "serialization/src/main"],
            &further,
            &made,
            &[],
        )?;
        let mut build = maven(&package);
        build.args(["test-compile", "dependency:build-classpath", "-Dmdep.includeScope=test"]);
        must(build.arg(format!("-Dmdep.outputFile={}", package.join(CLASS_PATH).display())))?;
        Ok(package)
    })
}

/// Where the tests of the probe are in the copy.
const PROBE: &str = "src/test/kotlin/dev/vitalwire/ProbeTest.kt";

/// Where the programs are that measure the package, and their place in the copy.
const MEASURES: &str = "src/bench/kotlin";
const MEASURES_PLACE: &str = "src/test/kotlin/dev/vitalwire/bench";

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
