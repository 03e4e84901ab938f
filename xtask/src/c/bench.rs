//! Benchmarks of the C library against the Rust client in the same process, libcurl, and the Python package in another process. The
//! measurements are in `bindings/c/bench`.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::bail;

use super::tools;
use crate::build::{self, target};
use crate::folder::files;
use crate::language::Bench;
use crate::measure::{Cores, Measurement, measure_program};
use crate::process::execute;
use crate::pypi;
use crate::python::wheel::wheel;

/// The benchmark group of C in `cargo xtask bench`.
pub(super) const BENCH: Bench = Bench {
    name: "c",
    about: "The C library, compared with the Rust client, libcurl and the Python package. Needs a C compiler; runs only if named",
    run,
};

const FOLDER: &str = "bindings/c/bench";

/// Cargo profile of both libraries in a comparison.
const PROFILE: &str = "wheel";

/// The baseline's libraries, by their pkg-config names. Debian: libcurl4-openssl-dev, libjansson-dev.
const BASELINES: [&str; 2] = ["libcurl", "jansson"];

/// Builds the benchmarks and runs them.
///
/// # Errors
/// If a build or a run fails.
fn run(root: &Path, quick: bool) -> anyhow::Result<Vec<Measurement>> {
    if let Some(what) = tools::missing() {
        bail!("{what}");
    }
    let target = target(root)?;
    let library = build::bench_library(root, "vitalwire-c", "__probe", PROFILE)?;
    let main = compile(root, &target, &library)?;
    let bench = |arguments: &[&OsStr], cores| {
        let mut bench = Command::new(&main);
        bench.args(arguments).env("LD_LIBRARY_PATH", library.parent().unwrap_or(root));
        measure_program(root, &bench, cores, quick)
    };
    let mut lines = match pypi::missing() {
        None => {
            let (python, script) = (interpreter(root, &target)?, root.join(FOLDER).join("python.py"));
            bench(&["calls".as_ref(), python.as_ref(), script.as_ref()], Cores::One)?
        }
        Some(_) => bench(&["calls".as_ref()], Cores::One)?,
    };
    lines.extend(bench(&["rest".as_ref()], Cores::Any)?);
    Ok(lines)
}

/// Compiles the benchmark program.
fn compile(root: &Path, target: &Path, library: &Path) -> anyhow::Result<PathBuf> {
    let program = target.join("c-bench");
    let mut cc = Command::new("cc");
    cc.args(["-std=c11", "-O2", "-D_POSIX_C_SOURCE=200809L", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-pthread", "-I"]);
    cc.arg(root.join("bindings/c/include"));
    cc.args(files(&root.join(FOLDER))?.iter().filter(|file| file.extension().is_some_and(|ending| ending == "c"))).arg(library);
    if let Ok(flags) = execute(Command::new("pkg-config").args(["--cflags", "--libs"]).args(BASELINES)) {
        cc.arg("-DBENCH_CURL").args(flags.split_whitespace());
    }
    execute(cc.arg("-o").arg(&program))?;
    Ok(program)
}

/// Creates an environment with only the release wheel, and returns its interpreter.
fn interpreter(root: &Path, target: &Path) -> anyhow::Result<PathBuf> {
    let wheel = wheel(root, target, "bindings/python", "vitalwire-")?;
    pypi::install_wheel(&pypi::bare_environment(root, target)?, &wheel)
}
