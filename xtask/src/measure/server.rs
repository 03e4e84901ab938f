//! Starts the server that responds with the benchmarks' payloads, for benchmarks in other languages.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::Context as _;

use super::affinity;
use crate::build;

/// Name of the server's program.
const PROGRAM: &str = "vitalwire-bench-server";

/// Builds the server's program and returns its path.
///
/// # Errors
/// If it cannot be built.
pub(crate) fn program(root: &Path) -> anyhow::Result<PathBuf> {
    build::build_package(root, "vitalwire-bench", &["--profile", "bench", "--bin", PROGRAM])?.program(PROGRAM)
}

/// A running server. Dropping it stops the server.
pub(crate) struct Server {
    child: Child,
    /// Base URL of the server.
    pub(crate) url: String,
}

impl Server {
    /// Starts the server. It writes the payloads into a folder, each as `NAME.json`.
    ///
    /// # Errors
    /// If it does not start.
    pub(crate) fn start(root: &Path, payloads: &Path) -> anyhow::Result<Self> {
        Self::run(Command::new(program(root)?), payloads)
    }

    /// Starts the server pinned to the core for small calls.
    ///
    /// # Errors
    /// If it does not start.
    pub(crate) fn start_pinned(root: &Path, payloads: &Path) -> anyhow::Result<Self> {
        Self::run(affinity::pin(&Command::new(program(root)?)), payloads)
    }

    fn run(mut command: Command, payloads: &Path) -> anyhow::Result<Self> {
        let mut child = command.arg("--payloads").arg(payloads).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let mut line = String::new();
        BufReader::new(child.stdout.take().context("the server has no output")?).read_line(&mut line)?;
        let ready: serde_json::Value = serde_json::from_str(&line).context("the server did not start")?;
        let url = ready.get("base_url").and_then(serde_json::Value::as_str).context("the server did not print its URL")?.to_owned();
        Ok(Self { child, url })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
