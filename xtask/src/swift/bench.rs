//! Benchmarks of the Swift package against the core in one process. The measurements are in `bindings/swift/Bench`.

use std::path::Path;

use anyhow::{Context as _, bail};
use serde_json::json;

use crate::build;
use crate::language::Bench;
use crate::measure::{Cores, Measurement, measure_program};
use crate::swift::{test_build, toolchain};

/// The benchmark group of Swift in `cargo xtask bench`.
pub(super) const BENCH: Bench =
    Bench { name: "swift", about: "The Swift package, compared with the core. Needs Swift; runs only if named", run };

/// Builds the benchmarks and runs them.
///
/// # Errors
/// If a build or a run fails.
fn run(root: &Path, quick: bool) -> anyhow::Result<Vec<Measurement>> {
    if let Some(what) = toolchain::missing(root)? {
        bail!("{what}");
    }
    let library = build::bench_library(root, "vitalwire-uniffi", "__probe,server", "bench")?;
    let mut bench = test_build::bench(root, library.parent().context("the library has no folder")?.to_path_buf())?;
    let mut lines = measure_program(root, &bench, Cores::Any, quick)?;
    lines.extend(measure_program(root, bench.arg("calls"), Cores::One, quick)?);
    lines.push(clean_build(root)?);
    Ok(lines)
}

/// Measures a clean build of an application on this machine. The gate is for a machine with two idle cores.
fn clean_build(root: &Path) -> anyhow::Result<Measurement> {
    let seconds = test_build::clean_build(root)?;
    let measure = "clean debug build of an application, s";
    let line = json!({ "measure": measure, "ours": format!("{seconds:.1} s"), "figure": seconds, "gate": "<= 60" });
    Measurement::read(&line.to_string())
}
