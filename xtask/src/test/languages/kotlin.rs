//! JUnit on a desktop JVM, by Maven; and the conformance runner, a program of the same JVM.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context as _;

use super::uniffi::{mirror, probe, write};
use crate::codegen;
use crate::test::count::Count;
use crate::test::step::{Context, Outcome, has, must, show, target};

/// Builds the native library and runs the package's tests, then those of the echo probe.
pub(in crate::test) fn run(context: &Context) -> anyhow::Result<Outcome> {
    if let Some(what) = missing() {
        return Ok(Outcome::Missing(format!("{what}; install a JDK 17 and Maven")));
    }
    // Made first: the library without probe must be the one that stays.
    let with_probe = probe(context)?;
    library(&context.root)?;
    let mut total = Count::default();
    for (package, native) in [(context.root.join(FOLDER), context.target.join("debug")), probed(context, &with_probe)?] {
        let mut test = Command::new("mvn");
        test.current_dir(package).args(QUIET).arg("test").arg(format!("-Dnative.dir={}", native.display()));
        match show(context.told(&mut test))?.counted(Count::surefire) {
            Outcome::Ran(count) if count != Count::default() => total += count,
            _ => total += Count::failed(),
        }
    }
    Ok(Outcome::Ran(total))
}

/// A copy of the package that has the echo probe and its tests alone, and the folder of its library.
fn probed(context: &Context, library: &Path) -> anyhow::Result<(PathBuf, PathBuf)> {
    let (from, to) = (context.root.join(FOLDER), context.target.join("kotlin-probe"));
    let bindings = codegen::uniffi_bindings(&context.root, library)?;
    let file = bindings.iter().find_map(|file| Some((to.join(Path::new(&file.path).strip_prefix(FOLDER).ok()?), &file.text)));
    let (path, text) = file.context("uniffi wrote nothing for Kotlin")?;
    mirror(&from.join("src/main"), &to.join("src/main"), &[&path])?;
    write(&path, text.as_bytes())?;
    mirror(&from.join("src/probe"), &to.join("src/test"), &[&to.join(LOG)])?;
    for file in ["pom.xml", LOG] {
        write(&to.join(file), &std::fs::read(from.join(file))?)?;
    }
    Ok((to, library.parent().context("the library is in no folder")?.to_path_buf()))
}

/// What the probe's tests need of the package's own.
const LOG: &str = "src/test/kotlin/dev/vitalwire/conformance/Log.kt";
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
