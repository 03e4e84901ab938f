//! Builds C and C++ programs for tests and conformance cases with CMake and a static library.

mod arm64;
mod configuration;
mod sanitized;
mod windows;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::build::{self, target};
use crate::c::tools::missing;
use crate::cargo;
use crate::native::native_libraries;
use crate::once::Once;
use crate::process::execute;
use configuration::CMakeConfiguration;

pub(super) use sanitized::{ADDRESS, Sanitizer, THREAD, cargo as sanitized_cargo};
pub(super) use windows::{WindowsLibrary, missing as missing_for_windows};

/// The static library to link.
#[derive(Clone, Copy)]
pub(super) enum Library {
    /// The library of the shared test build, with test-only functions.
    Shared,
    /// A separate build without test-only functions.
    WithoutProbe,
    /// A build for Linux on arm64. Its programs run in an emulator.
    Arm64,
    /// A build with the same sanitizer as the programs.
    Sanitized(&'static Sanitizer),
}

pub(super) fn missing_for(library: Library) -> Option<&'static str> {
    missing().or_else(|| match library {
        Library::Shared | Library::WithoutProbe => None,
        Library::Arm64 => arm64::missing(),
        Library::Sanitized(_) => sanitized::missing(),
    })
}

/// Builds the conformance runners `conformance` and `conformance_cpp` and returns their folder.
pub(super) fn conformance_runners(root: &Path) -> anyhow::Result<PathBuf> {
    static CACHE: Once<PathBuf> = Once::new();
    Ok(CACHE.get(|| build(root, Library::Shared))?.join("tests"))
}

/// Builds the programs with a static library and returns CMake's build folder.
pub(super) fn build(root: &Path, library: Library) -> anyhow::Result<PathBuf> {
    let target = target(root)?;
    let configuration = match library {
        Library::Shared => {
            let library = build::libraries(root)?.static_library(TARGET)?;
            CMakeConfiguration { folder: "c", library, needs: std_libraries(&target)?, probe: true, valgrind: false, settings: Vec::new() }
        }
        Library::WithoutProbe => {
            let (library, needs) = build_without_probe(root, &target)?;
            CMakeConfiguration { folder: "c-alone", library, needs, probe: false, valgrind: true, settings: Vec::new() }
        }
        Library::Arm64 => arm64::build(root, &target)?,
        Library::Sanitized(sanitizer) => sanitized::build(root, &target, sanitizer)?,
    };
    let folder = target.join(configuration.folder);
    let probe = if configuration.probe { configuration.library.clone() } else { PathBuf::new() };
    let switch = |on| OsString::from(if on { "ON" } else { "OFF" });
    let mut settings = configuration.settings;
    settings.extend([
        ("VITALWIRE_LIBRARY", configuration.library.into_os_string()),
        ("VITALWIRE_PROBE_LIBRARY", probe.into_os_string()),
        ("VITALWIRE_VALGRIND", switch(configuration.valgrind)),
        ("VITALWIRE_NATIVE_STATIC_LIBS", configuration.needs.into()),
    ]);
    let mut configure = Command::new("cmake");
    configure.current_dir(root).args(["-S", "bindings/c", "-B"]).arg(&folder);
    configure
        .args(settings.iter().map(|(name, value)| [format!("-D{name}=").as_ref(), value.as_os_str()].into_iter().collect::<OsString>()));
    execute(&mut configure)?;
    execute(Command::new("cmake").arg("--build").arg(&folder).args(["--parallel", "2"]))?;
    Ok(folder)
}

/// Name of the library's target.
const TARGET: &str = "vitalwire_c";

/// Returns the system libraries that Rust's standard library needs. On this system, our library needs no others.
fn std_libraries(target: &Path) -> anyhow::Result<String> {
    if !cfg!(target_os = "linux") {
        return Ok(String::new());
    }
    let source = target.join("c-empty.rs");
    std::fs::write(&source, "")?;
    let mut rustc = Command::new("rustc");
    rustc.current_dir(target).args(["--crate-type", "staticlib", "--print", "native-static-libs"]).arg(&source);
    native_libraries(&execute(&mut rustc)?)
}

/// Builds the static library like a release, except for its profile. Returns the library and the system libraries that it needs.
fn build_without_probe(root: &Path, target: &Path) -> anyhow::Result<(PathBuf, String)> {
    let mut cargo = cargo::command();
    // Optimize a little: otherwise cases with large bodies exceed their timeout under valgrind.
    cargo.current_dir(root).env("CARGO_PROFILE_DEV_OPT_LEVEL", "1");
    cargo.args(["rustc", "--locked", "--package", "vitalwire-c", "--lib", "--target-dir"]).arg(target.join("alone"));
    let output = execute(cargo.args(["--", "--print", "native-static-libs"]))?;
    Ok((target.join("alone/debug/libvitalwire_c.a"), native_libraries(&output)?))
}
