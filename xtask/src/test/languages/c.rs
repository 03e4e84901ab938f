//! CTest: a C11 program and a C++17 check of the header, linked with the static library.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context as _;

use crate::build::{self, program_of_cargo};
use crate::conformance;
use crate::once::Once;
use crate::test::count::Count;
use crate::test::step::{Context, Outcome, has, must, show, target};

/// Builds the programs and runs them.
pub(in crate::test) fn run(context: &Context) -> anyhow::Result<Outcome> {
    test(context, Library::Shared)
}

/// The same with the library as it is shipped, and the calls and conformance cases under valgrind: no leak and no wrong access.
pub(in crate::test) fn memory(context: &Context) -> anyhow::Result<Outcome> {
    if !has("valgrind") {
        return Ok(Outcome::Missing("no valgrind".to_owned()));
    }
    let ran = test(context, Library::Alone)?;
    let Outcome::Ran(mut count) = ran else { return Ok(ran) };
    let watched = show(&mut conformance::c_under(&context.root, VALGRIND, WITHOUT_DEADLINES)?)?;
    if let Outcome::Ran(cases) = watched.counted(Count::conformance) {
        count += cases;
    }
    Ok(Outcome::Ran(count))
}

/// Which static library programs are linked with.
#[derive(Clone, Copy)]
enum Library {
    /// That of the build that all tests share, with functions for tests.
    Shared,
    /// One that is built for itself, without functions for tests.
    Alone,
}

/// As in `bindings/c/tests/CMakeLists.txt`.
const VALGRIND: &str =
    "valgrind --quiet --error-exitcode=9 --leak-check=full --show-leak-kinds=definite,indirect --errors-for-leak-kinds=definite,indirect";

/// Conformance cases of every kind of answer and argument. Those with deadlines would miss them under valgrind.
const WITHOUT_DEADLINES: &str = "{sleeps,statistics,nutrition,labs,errors,bodies,user}.*";

/// What rustc writes before the system libraries that the static library needs.
const LIBRARIES: &str = "note: native-static-libs: ";

fn test(context: &Context, library: Library) -> anyhow::Result<Outcome> {
    if let Some(what) = missing() {
        return Ok(Outcome::Missing(what.to_owned()));
    }
    let folder = build(&context.root, library)?;
    let mut test = context.program("ctest", ".")?;
    test.arg("--test-dir").arg(&folder).args(["--no-tests=error", "--output-on-failure"]);
    Ok(show(&mut test)?.counted(Count::ctest))
}

/// What is missing to build anything for C.
pub(crate) fn missing() -> Option<&'static str> {
    (!has("cmake") || !has("cc")).then_some("no cmake or no C compiler")
}

/// The runner of the conformance cases, built.
pub(crate) fn conformance_runner(root: &Path) -> anyhow::Result<PathBuf> {
    static MADE: Once<PathBuf> = Once::new();
    Ok(MADE.get(|| build(root, Library::Shared))?.join("tests/conformance"))
}

/// Builds the programs with a static library; the folder of what CMake makes.
fn build(root: &Path, library: Library) -> anyhow::Result<PathBuf> {
    let target = target(root)?;
    let (folder, file, needs, valgrind, probe) = match library {
        Library::Shared => {
            let file = build::libraries(root)?.static_library(TARGET)?;
            (target.join("c"), file.clone(), libraries_of_std(&target)?, "OFF", file)
        }
        Library::Alone => {
            let (file, needs) = alone(root, &target)?;
            (target.join("c-alone"), file, needs, "ON", PathBuf::new())
        }
    };
    let mut configure = Command::new("cmake");
    configure.current_dir(root).args(["-S", "bindings/c", "-B"]).arg(&folder);
    let settings = [("LIBRARY", &file), ("PROBE_LIBRARY", &probe)];
    configure.args(settings.map(|(name, path)| format!("-DVITALWIRE_{name}={}", path.display())));
    configure.arg(format!("-DVITALWIRE_VALGRIND={valgrind}"));
    must(configure.arg(format!("-DVITALWIRE_NATIVE_STATIC_LIBS={needs}")))?;
    must(Command::new("cmake").arg("--build").arg(&folder).args(["--parallel", "2"]))?;
    Ok(folder)
}

/// Name of the library's target.
const TARGET: &str = "vitalwire_c";

/// The system libraries that a static library needs which holds nothing but Rust's own: ours calls no others where this is asked.
fn libraries_of_std(target: &Path) -> anyhow::Result<String> {
    if !cfg!(target_os = "linux") {
        return Ok(String::new());
    }
    let source = target.join("c-empty.rs");
    std::fs::write(&source, "")?;
    let mut rustc = Command::new("rustc");
    rustc.current_dir(target).args(["--crate-type", "staticlib", "--print", "native-static-libs"]).arg(&source);
    native_libraries(&must(&mut rustc)?)
}

/// The static library as it is shipped, but for its profile, and the system libraries that it needs.
fn alone(root: &Path, target: &Path) -> anyhow::Result<(PathBuf, String)> {
    let mut cargo = Command::new(program_of_cargo());
    cargo.current_dir(root).args(["rustc", "--locked", "--package", "vitalwire-c", "--lib", "--target-dir"]).arg(target.join("alone"));
    let output = must(cargo.args(["--", "--print", "native-static-libs"]))?;
    Ok((target.join("alone/debug/libvitalwire_c.a"), native_libraries(&output)?))
}

fn native_libraries(output: &str) -> anyhow::Result<String> {
    output.lines().find_map(|line| line.strip_prefix(LIBRARIES)).map(str::to_owned).context("rustc named no native libraries")
}
