//! `cargo xtask samples`: the synthetic answers that the client crate ships.

use std::path::Path;

use anyhow::ensure;
use clap::Args;

use crate::cargo;

/// Write the synthetic answer of every operation anew, as the sandbox gives it. The step `rust` compares.
#[derive(Debug, Args)]
pub(crate) struct Samples {}

impl Samples {
    /// Runs the command in the workspace at `root`: the test that compares writes first.
    pub(crate) fn run(&self, root: &Path) -> anyhow::Result<()> {
        let mut test = cargo::command();
        test.args(["test", "--workspace", "--all-features", "--test", "service", "--", "samples"]);
        let status = test.current_dir(root).env("VITALWIRE_BLESS", "1").status()?;
        ensure!(status.success(), "the sandbox did not answer every operation");
        Ok(())
    }
}
