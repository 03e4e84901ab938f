//! Benchmark programs: their lines, the server they call, and the core they are pinned to.

pub(crate) mod affinity;
mod server;
mod table;

use std::process::{Command, Stdio};

use anyhow::{Context, ensure};

pub(crate) use server::{Server, program as server_program};
pub(crate) use table::{Measurement, render};

/// Runs a benchmark program and reads its lines.
///
/// # Errors
/// If it cannot be run, fails, or prints anything but JSON lines.
pub(crate) fn measure(program: &mut Command) -> anyhow::Result<Vec<Measurement>> {
    let output = program.stderr(Stdio::inherit()).output().context("a benchmark program cannot be started")?;
    ensure!(output.status.success(), "a benchmark program failed");
    String::from_utf8(output.stdout)?.lines().map(Measurement::read).collect()
}
