//! CTest: a C11 program and a C++17 check of the header, linked with the static library.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context as _;

use crate::conformance;
use crate::test::count::Count;
use crate::test::step::{Context, Outcome, has, must, show, target};

/// Builds the static library and runs the programs.
pub(in crate::test) fn run(context: &Context) -> anyhow::Result<Outcome> {
    test(context, "OFF")
}

/// The same, and the calls and conformance cases under valgrind: no leak and no wrong access.
pub(in crate::test) fn memory(context: &Context) -> anyhow::Result<Outcome> {
    if !has("valgrind") {
        return Ok(Outcome::Missing("no valgrind".to_owned()));
    }
    let ran = test(context, "ON")?;
    let Outcome::Ran(mut count) = ran else { return Ok(ran) };
    let watched = show(&mut conformance::c_under(&context.root, VALGRIND, WITHOUT_DEADLINES)?)?;
    if let Outcome::Ran(cases) = watched.counted(Count::conformance) {
        count += cases;
    }
    Ok(Outcome::Ran(count))
}

/// As in `bindings/c/tests/CMakeLists.txt`.
const VALGRIND: &str =
    "valgrind --quiet --error-exitcode=9 --leak-check=full --show-leak-kinds=definite,indirect --errors-for-leak-kinds=definite,indirect";

/// Conformance cases of every kind of answer and argument. Those with deadlines would miss them under valgrind.
const WITHOUT_DEADLINES: &str = "{sleeps,statistics,nutrition,labs,errors,bodies,user}.*";

/// What rustc writes before the system libraries that the static library needs.
const LIBRARIES: &str = "note: native-static-libs: ";

fn test(context: &Context, valgrind: &str) -> anyhow::Result<Outcome> {
    if let Some(what) = missing() {
        return Ok(Outcome::Missing(what.to_owned()));
    }
    // Built first: the library without functions for tests must be the one that stays.
    library(&context.root, &["--features", "__probe"])?;
    let probe = context.target.join("c/libvitalwire_probe.a");
    std::fs::create_dir_all(context.target.join("c"))?;
    std::fs::copy(context.target.join(LIBRARY), &probe)?;
    let settings = [format!("-DVITALWIRE_VALGRIND={valgrind}"), format!("-DVITALWIRE_PROBE_LIBRARY={}", probe.display())];
    let build = build(&context.root, &context.target, &settings, "all")?;
    let mut test = context.program("ctest", ".");
    test.arg("--test-dir").arg(&build).args(["--no-tests=error", "--output-on-failure"]);
    Ok(show(&mut test)?.counted(Count::ctest))
}

/// What is missing to build anything for C.
pub(crate) fn missing() -> Option<&'static str> {
    (!has("cmake") || !has("cc")).then_some("no cmake or no C compiler")
}

/// The runner of the conformance cases, built.
pub(crate) fn conformance_runner(root: &Path) -> anyhow::Result<PathBuf> {
    let target = target(root)?;
    Ok(build(root, &target, &[], "conformance")?.join("tests/conformance"))
}

/// Builds the static library and, of its programs, those that CMake's `programs` names; the folder they are in.
fn build(root: &Path, target: &Path, settings: &[String], programs: &str) -> anyhow::Result<PathBuf> {
    let libraries = library(root, &[])?;
    let build = target.join("c");
    let mut configure = Command::new("cmake");
    configure.current_dir(root).args(["-S", "bindings/c", "-B"]).arg(&build).args(settings);
    configure.arg(format!("-DVITALWIRE_LIBRARY={}", target.join(LIBRARY).display()));
    must(configure.arg(format!("-DVITALWIRE_NATIVE_STATIC_LIBS={libraries}")))?;
    must(Command::new("cmake").current_dir(root).arg("--build").arg(&build).args(["--target", programs]))?;
    Ok(build)
}

/// Where the static library is, below cargo's folder.
const LIBRARY: &str = "debug/libvitalwire_c.a";

/// Builds the static library; the system libraries that it needs.
fn library(root: &Path, features: &[&str]) -> anyhow::Result<String> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root).args(["rustc", "--package", "vitalwire-c", "--lib"]).args(features);
    let output = must(cargo.args(["--", "--print", "native-static-libs"]))?;
    output.lines().find_map(|line| line.strip_prefix(LIBRARIES)).map(str::to_owned).context("rustc named no native libraries")
}
