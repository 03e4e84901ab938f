//! The Kotlin package beside the core, in one process, and a cold JVM. The measures themselves are in `bindings/kotlin/src/bench`.

use std::path::Path;

use anyhow::{Context as _, bail};

use super::affinity;
use super::server::Server;
use super::table::Line;
use crate::build::target;
use crate::packages::kotlin;
use crate::program;

/// Builds what is measured, and measures.
///
/// # Errors
/// Where something cannot be built or run.
pub(super) fn lines(root: &Path, quick: bool) -> anyhow::Result<Vec<Line>> {
    if let Some(what) = kotlin::missing() {
        bail!("{what}");
    }
    let library = program::library(root, "vitalwire-uniffi", &["--profile", "bench", "--features", "__probe"])?;
    let mut bench = kotlin::bench(root, library.parent().context("the library is in no folder")?, "Main", &[])?;
    let payloads = target(root)?.join("kotlin-payloads");
    let server = Server::start_held(root, &payloads)?;
    let mut calls = affinity::held(&bench);
    // A cold JVM comes first, before anything else heats the machine.
    bench.args(["rest", &server.url]).arg(payloads.join("sleep.json")).args(quick.then_some("--quick"));
    let mut lines = super::measure(&mut bench)?;
    lines.extend(super::measure(calls.args(["calls", &server.url]).args(quick.then_some("--quick")))?);
    Ok(lines)
}
