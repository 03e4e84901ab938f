//! `cargo xtask samples`: the synthetic responses in the client crate.

use std::path::Path;

use anyhow::ensure;
use clap::Args;

use crate::cargo;

/// Update the synthetic response of every operation from the sandbox. The step `rust` compares them.
#[derive(Debug, Args)]
pub(crate) struct Samples {}

impl Samples {
    /// Runs the command in the workspace at `root`. The test that compares the files also writes them.
    pub(crate) fn run(&self, root: &Path) -> anyhow::Result<()> {
        let mut test = cargo::command();
        test.args(["test", "--workspace", "--all-features", "--test", "service", "--", "samples"]);
        let status = test.current_dir(root).env("VITALWIRE_BLESS", "1").status()?;
        ensure!(status.success(), "updating the samples failed; the output above has the reason");
        crate::print_line("Run `cargo xtask codegen`: packages are generated with the samples.");
        Ok(())
    }
}
