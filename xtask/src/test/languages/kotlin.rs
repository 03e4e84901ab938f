//! JUnit on a desktop JVM, by Maven; and the conformance runner, a program of the same JVM.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::test::count::Count;
use crate::test::step::{Context, Outcome, has, must, show, target};

/// Builds the native library and runs the package's tests.
pub(in crate::test) fn run(context: &Context) -> anyhow::Result<Outcome> {
    if let Some(what) = missing() {
        return Ok(Outcome::Missing(format!("{what}; install a JDK 17 and Maven")));
    }
    library(&context.root)?;
    let mut test = context.program("mvn", FOLDER);
    test.args(QUIET).arg("test").arg(format!("-Dnative.dir={}", context.target.join("debug").display()));
    Ok(show(&mut test)?.counted(Count::surefire))
}

const FOLDER: &str = "bindings/kotlin";
const QUIET: [&str; 2] = ["--batch-mode", "--no-transfer-progress"];

/// What is missing to build anything for Kotlin.
pub(crate) fn missing() -> Option<&'static str> {
    (!has("mvn") || !has("java")).then_some("no Maven or no JDK")
}

/// The file of options with which `java` is the runner of the conformance cases, built.
pub(crate) fn conformance_runner(root: &Path) -> anyhow::Result<PathBuf> {
    let target = target(root)?;
    library(root)?;
    let folder = target.join("kotlin");
    std::fs::create_dir_all(&folder)?;
    let list = folder.join("classpath");
    let mut build = Command::new("mvn");
    build.current_dir(root.join(FOLDER)).args(QUIET).args(["test-compile", "dependency:build-classpath"]);
    must(build.args(["-Dmdep.includeScope=test"]).arg(format!("-Dmdep.outputFile={}", list.display())))?;
    let classes = root.join(FOLDER).join("target");
    let mut paths = vec![classes.join("test-classes"), classes.join("classes")];
    paths.extend(std::env::split_paths(std::fs::read_to_string(&list)?.trim()));
    let options = folder.join("conformance.options");
    let quoted = |text: String| format!("\"{}\"", text.replace('\\', "\\\\"));
    let lines = [
        "-classpath".to_owned(),
        quoted(std::env::join_paths(paths)?.to_string_lossy().into_owned()),
        quoted(format!("-Djna.library.path={}", target.join("debug").display())),
        "dev.vitalwire.conformance.MainKt".to_owned(),
    ];
    std::fs::write(&options, lines.join("\n"))?;
    Ok(options)
}

/// Builds the native library.
fn library(root: &Path) -> anyhow::Result<()> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    must(cargo.current_dir(root).args(["build", "--package", "vitalwire-uniffi", "--lib"])).map(drop)
}
