//! Benchmarks of the Kotlin package against the core in one process, and of a cold JVM. The measurements are in
//! `bindings/kotlin/src/bench`.

use std::path::Path;

use anyhow::{Context as _, bail};

use crate::build;
use crate::kotlin::{maven, test_build};
use crate::language::Bench;
use crate::measure::{Cores, Measurement, measure_program};

/// The benchmark group of Kotlin in `cargo xtask bench`.
pub(super) const BENCH: Bench = Bench {
    name: "kotlin",
    about: "The Kotlin package, compared with the core, and a cold JVM. Needs a JDK and Maven; runs only if named",
    run,
};

/// Builds the benchmarks and runs them.
///
/// # Errors
/// If a build or a run fails.
fn run(root: &Path, quick: bool) -> anyhow::Result<Vec<Measurement>> {
    if let Some(what) = maven::missing() {
        bail!("{what}");
    }
    let library = build::bench_library(root, "vitalwire-uniffi", "__probe,server", "bench")?;
    let libraries = library.parent().context("the library has no folder")?;
    let bench = |part: &str, cores| {
        let mut java = test_build::bench(root, libraries, "Main", &[])?;
        measure_program(root, java.arg(part), cores, quick)
    };
    // Measure the cold JVM first, before other work heats the machine.
    let mut lines = bench("rest", Cores::Any)?;
    lines.extend(bench("calls", Cores::One)?);
    Ok(lines)
}
