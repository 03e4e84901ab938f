//! The shared build of tests, runners and the second stage of code generation: every package with every feature, including probes. Every
//! part is built with the features of the whole workspace, so that nothing is built twice.

use std::cell::Cell;
use std::ffi::OsStr;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::OnceLock;

use anyhow::{Context as _, ensure};
use serde_json::Value;

use crate::cargo;

/// Options that make cargo choose the same features in every call.
pub(crate) const SHARED: [&str; 3] = ["--workspace", "--all-features", "--locked"];

thread_local! {
    static UNITS: Cell<usize> = const { Cell::new(0) };
}

/// Returns the number of libraries and programs that cargo compiled or checked for this thread since the last call. Artifacts of earlier
/// builds do not count.
pub(crate) fn take_units() -> usize {
    UNITS.take()
}

/// Output of `build_all`. Later requests for one of its artifacts need not wait for cargo's lock.
static SHARED_BUILD: OnceLock<BuildOutput> = OnceLock::new();

/// Targets to build. `--all-targets` would also link a test program for the Python extension, which has no tests.
const ALL_TARGETS: [&str; 4] = ["--lib", "--bins", "--tests", "--examples"];

#[derive(Clone, Default)]
pub(crate) struct BuildOutput {
    /// Target names and the files built for them.
    files: Vec<(String, PathBuf)>,
    /// Number of warnings.
    findings: usize,
}

impl BuildOutput {
    /// Returns the path of a program.
    ///
    /// # Errors
    /// If there is no program with this name.
    pub(crate) fn program(&self, name: &str) -> anyhow::Result<PathBuf> {
        self.file(name, std::env::consts::EXE_SUFFIX)
    }

    /// Returns the path of a dynamic library, which other languages load.
    ///
    /// # Errors
    /// If there is no such library.
    pub(crate) fn dynamic_library(&self, name: &str) -> anyhow::Result<PathBuf> {
        self.file(name, std::env::consts::DLL_SUFFIX)
    }

    /// Returns the path of a static library, which C programs link.
    ///
    /// # Errors
    /// If there is no such library.
    pub(crate) fn static_library(&self, name: &str) -> anyhow::Result<PathBuf> {
        self.file(name, if cfg!(windows) { ".lib" } else { ".a" })
    }

    fn file(&self, name: &str, suffix: &str) -> anyhow::Result<PathBuf> {
        let fits =
            |path: &Path| path.to_str().is_some_and(|path| path.ends_with(suffix)) && (suffix.is_empty() == path.extension().is_none());
        let found = self.files.iter().find(|(target, path)| target == name && fits(path));
        found.map(|(_, path)| path.clone()).with_context(|| format!("cargo built no {name}{suffix}"))
    }
}

/// Builds everything, including tests and examples.
///
/// # Errors
/// If something does not compile.
pub(crate) fn build_all(root: &Path) -> anyhow::Result<()> {
    let (built, success) = run_shared(root, "build", &ALL_TARGETS)?;
    ensure!(success, "the workspace does not compile");
    let _ = SHARED_BUILD.set(built);
    Ok(())
}

/// Environment variable with the program that compiles our own crates.
const WRAPPER: &str = "RUSTC_WORKSPACE_WRAPPER";

/// Checks that neither Clippy nor rustc reports a finding.
///
/// If Clippy's driver is the compiler (`.ci/run`), the shared build has already run Clippy, and cargo only prints the findings again.
/// Otherwise Clippy runs in addition to the build.
///
/// # Errors
/// If there is a lint or a warning.
pub(crate) fn clippy(root: &Path) -> anyhow::Result<()> {
    let compiles = std::env::var_os(WRAPPER).is_some_and(|program| Path::new(&program).file_stem() == Some(OsStr::new("clippy-driver")));
    let (built, success) =
        if compiles { run_shared(root, "build", &ALL_TARGETS)? } else { run_shared(root, "clippy", &["--all-targets"])? };
    ensure!(success && built.findings == 0, "clippy found lints or warnings; they are printed above");
    Ok(())
}

/// Builds a program of the workspace and returns its path.
///
/// # Errors
/// If it cannot be built.
pub(crate) fn program(root: &Path, name: &str) -> anyhow::Result<PathBuf> {
    match SHARED_BUILD.get() {
        Some(built) => built.program(name),
        None => run_shared(root, "build", &["--bin", name])?.0.program(name),
    }
}

/// Builds all libraries. Continues after errors, so that bindings can be generated while another library still calls old functions.
///
/// # Errors
/// If cargo cannot be started.
pub(crate) fn libraries(root: &Path) -> anyhow::Result<BuildOutput> {
    match SHARED_BUILD.get() {
        Some(built) => Ok(built.clone()),
        None => Ok(run_shared(root, "build", &["--lib", "--keep-going"])?.0),
    }
}

/// Builds targets of a single package, without the features that other packages enable.
///
/// # Errors
/// If it does not compile.
pub(crate) fn build_package(root: &Path, package: &str, options: &[&str]) -> anyhow::Result<BuildOutput> {
    let (built, success) = run_cargo(root, "build", &[&["--package", package], options].concat())?;
    ensure!(success, "{package} does not compile");
    Ok(built)
}

/// Builds a package's library for benchmarks, with these features.
///
/// # Errors
/// If it does not compile.
pub(crate) fn bench_library(root: &Path, package: &str, features: &str, profile: &str) -> anyhow::Result<PathBuf> {
    let built = build_package(root, package, &["--profile", profile, "--features", features, "--lib"])?;
    built.dynamic_library(&package.replace('-', "_"))
}

/// Returns cargo's target folder.
pub(crate) fn target(root: &Path) -> anyhow::Result<PathBuf> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    std::fs::create_dir_all(&target)?;
    Ok(target.canonicalize()?)
}

/// Runs a cargo command for some targets, with the features of the whole workspace.
fn run_shared(root: &Path, command: &str, parts: &[&str]) -> anyhow::Result<(BuildOutput, bool)> {
    run_cargo(root, command, &[&SHARED, parts].concat())
}

/// Runs a cargo command. Returns its output and whether everything compiled. Prints the command, then errors and warnings
/// immediately, including those that cargo repeats from earlier builds.
fn run_cargo(root: &Path, command: &str, options: &[&str]) -> anyhow::Result<(BuildOutput, bool)> {
    // Otherwise nothing is printed for minutes, because cargo is quiet.
    crate::print_line(&format!("cargo {command} {}", options.join(" ")));
    let mut cargo = cargo::command();
    cargo.current_dir(root).args([command, "--quiet", "--message-format", "json"]).args(options);
    let mut child = cargo.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().context("cargo cannot be started")?;
    let mut built = BuildOutput::default();
    for line in BufReader::new(child.stdout.take().context("cargo has no output")?).lines() {
        if let Ok(message) = serde_json::from_str::<Value>(&line?) {
            built.record(&message);
        }
    }
    Ok((built, child.wait()?.success()))
}

impl BuildOutput {
    fn record(&mut self, message: &Value) {
        if message["reason"] == "compiler-message" {
            self.findings += usize::from(message["message"]["level"] == "warning");
            crate::print_line(message["message"]["rendered"].as_str().unwrap_or_default());
        }
        if message["reason"] != "compiler-artifact" {
            return;
        }
        UNITS.set(UNITS.get() + usize::from(message["fresh"] == false));
        // Ignore the program of a target's unit tests, because it has the same name as the target.
        if message["profile"]["test"] == true {
            return;
        }
        let Some(name) = message["target"]["name"].as_str() else { return };
        let files = message["filenames"].as_array().into_iter().flatten().filter_map(Value::as_str);
        self.files.extend(files.map(|file| (name.to_owned(), PathBuf::from(file))));
    }
}
