//! Benchmarks of the Kotlin package against the core in one process, and of a cold JVM. The measurements are in
//! `bindings/kotlin/src/bench`.

use std::path::Path;

use anyhow::{Context as _, bail};

use crate::build::{self, target};
use crate::kotlin::{maven, test_build};
use crate::language::Bench;
use crate::measure::{Measurement, Server, affinity, measure};

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
    let library = build::bench_library(root, "vitalwire-uniffi", "bench")?;
    let mut bench = test_build::bench(root, library.parent().context("the library has no folder")?, "Main", &[])?;
    let payloads = target(root)?.join("kotlin-payloads");
    let server = Server::start_pinned(root, &payloads)?;
    let mut calls = affinity::pin(&bench);
    // Measure the cold JVM first, before other work heats the machine.
    bench.args(["rest", &server.url]).arg(payloads.join("sleep.json")).args(quick.then_some("--quick"));
    let mut lines = measure(&mut bench)?;
    lines.extend(measure(calls.args(["calls", &server.url]).args(quick.then_some("--quick")))?);
    Ok(lines)
}
