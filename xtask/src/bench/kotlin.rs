//! The Kotlin package beside the core, in one process, and a cold JVM. The measures themselves are in `bindings/kotlin/src/bench`.

use std::path::Path;

use anyhow::{Context as _, bail};

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
    let server = Server::start(root, &payloads)?;
    super::measure(bench.arg(&server.url).arg(payloads.join("sleep.json")).args(quick.then_some("--quick")))
}
