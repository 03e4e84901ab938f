//! Programs in C, built by CMake with the static library.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::shipped::native_libraries;
use crate::build::{self, program_of_cargo, target};
use crate::once::Once;
use crate::process::{has, must};

/// Which static library programs are linked with.
#[derive(Clone, Copy)]
pub(crate) enum Library {
    /// That of the build that all tests share, with functions for tests.
    Shared,
    /// One that is built for itself, without functions for tests.
    Alone,
}

/// What is missing to build anything for C.
pub(crate) fn missing() -> Option<&'static str> {
    (!has("cmake") || !has("cc")).then_some("no cmake or no C compiler")
}

/// The folder of the runners of the conformance cases, built: `conformance` and `conformance_cpp`.
pub(crate) fn conformance_runners(root: &Path) -> anyhow::Result<PathBuf> {
    static MADE: Once<PathBuf> = Once::new();
    Ok(MADE.get(|| build(root, Library::Shared))?.join("tests"))
}

/// Builds the programs with a static library; the folder of what CMake makes.
pub(crate) fn build(root: &Path, library: Library) -> anyhow::Result<PathBuf> {
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
