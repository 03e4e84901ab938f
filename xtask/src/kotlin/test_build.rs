//! Test build of the Kotlin package, for tests, conformance cases and benchmarks: a copy with the test-only functions.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::bindings::GENERATOR;
use super::future_api;
use super::maven::{FOLDER, SHORT_RUN_OPTIONS, maven};
use crate::build::target;
use crate::folder::files;
use crate::once::Once;
use crate::process::execute;
use crate::uniffi::{ProbePackage, library_folder};

/// Builds the conformance runner and returns the file of `java` options that starts it.
pub(super) fn conformance_runner(root: &Path) -> anyhow::Result<PathBuf> {
    let package = compile(root)?;
    let options = package.join("conformance.options");
    let quoted = |text: String| format!("\"{}\"", text.replace('\\', "\\\\"));
    let lines = [
        SHORT_RUN_OPTIONS.replace(' ', "\n"),
        "-classpath".to_owned(),
        quoted(class_path(&package)?.to_string_lossy().into_owned()),
        quoted(format!("-Djna.library.path={}", library_folder(root)?.display())),
        "dev.vitalwire.conformance.MainKt".to_owned(),
    ];
    std::fs::write(&options, lines.join("\n"))?;
    Ok(options)
}

/// Returns the command of a benchmark program with the native library in `libraries`.
///
/// # Errors
/// If it does not compile.
pub(super) fn bench(root: &Path, libraries: &Path, program: &str, options: &[&str]) -> anyhow::Result<Command> {
    let package = compile(root)?;
    let mut java = Command::new("java");
    java.args(options).arg(format!("-Djna.library.path={}", libraries.display()));
    java.arg("-classpath").arg(class_path(&package)?).arg(format!("dev.vitalwire.bench.{program}Kt"));
    Ok(java)
}

/// Returns the class path of the package, its tests and their dependencies.
fn class_path(package: &Path) -> anyhow::Result<OsString> {
    let classes = package.join("target");
    let mut paths = vec![classes.join("test-classes"), classes.join("classes")];
    paths.extend(std::env::split_paths(std::fs::read_to_string(package.join(CLASS_PATH))?.trim()));
    Ok(std::env::join_paths(paths)?)
}

/// File in the compiled package with the class path of its dependencies.
const CLASS_PATH: &str = "classpath";

/// Compiles the copy of the package with the probe and its tests.
pub(super) fn compile(root: &Path) -> anyhow::Result<PathBuf> {
    static CACHE: Once<PathBuf> = Once::new();
    CACHE.get(|| {
        let package = target(root)?.join("kotlin");
        let copied = [("pom.xml", "pom.xml"), (PROBE, "src/probe/kotlin/dev/vitalwire/ProbeTest.kt")];
        let mut written = future_api::generate(root)?;
        // Copy the benchmarks too, because they use the probe.
        for file in files(&root.join(FOLDER).join(BENCHMARKS))? {
            let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            written.push((format!("{BENCHMARKS_COPY}/{name}"), std::fs::read_to_string(&file)?));
        }
        let written: Vec<(&str, String)> = written.iter().map(|(place, text)| (place.as_str(), text.clone())).collect();
        let copy = ProbePackage {
            from: FOLDER,
            to: &package,
            generator: &GENERATOR,
            folders: &[
                "src/main",
                "src/test",
                "server/src/main",
                "testing/src/main",
                "serialization/src/main",
                "consent/src/main",
                "installed-android/src/main/kotlin/stranger/sync",
            ],
            files: &copied,
            written: &written,
            added: &[],
        };
        let was_compiled = std::fs::remove_file(package.join(COMPILED)).is_ok();
        let has_dependencies = || class_path(&package).is_ok_and(|paths| std::env::split_paths(&paths).all(|path| path.exists()));
        if copy.write(root)? || !was_compiled || !has_dependencies() {
            let mut build = maven(&package);
            build.args(["test-compile", "dependency:build-classpath", "-Dmdep.includeScope=test"]);
            execute(build.arg(format!("-Dmdep.outputFile={}", package.join(CLASS_PATH).display())))?;
        }
        std::fs::write(package.join(COMPILED), "")?;
        Ok(package)
    })
}

/// File that marks the package as compiled with unchanged sources. Without it, Maven compiles all tests again, which takes 30 seconds of
/// processor time.
const COMPILED: &str = "compiled";

/// Path of the probe's tests in the copy.
const PROBE: &str = "src/test/kotlin/dev/vitalwire/ProbeTest.kt";

/// Folder of the benchmark programs, also in the copy.
const BENCHMARKS: &str = "src/bench/kotlin";
const BENCHMARKS_COPY: &str = "src/test/kotlin/dev/vitalwire/bench";
