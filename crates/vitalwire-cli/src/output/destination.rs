//! The destination of a response, and its options.

use std::path::PathBuf;

use clap::Args;

/// Stdout or a file.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct Destination {
    /// Write the output to this file, or - for stdout. The file is written completely or not at all. Only its owner can read a new
    /// file; a replaced file keeps its group and mode. With
    /// --split-days, completed parts are kept in FILE.part until the range is complete. Defaults to stdout
    #[arg(long, short, global = true, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,
    /// Overwrite the --output file if it exists
    #[arg(long, global = true, help_heading = "Output")]
    pub(crate) force: bool,
    /// Whether the file may exist with the content to write, because an earlier run was killed after it wrote the file.
    #[arg(skip)]
    pub(crate) may_be_written: bool,
}

impl Destination {
    pub(crate) fn is_given(&self) -> bool {
        self.output.is_some() || self.force
    }

    /// Returns an error text if these options contradict each other.
    pub(crate) fn contradiction(&self) -> Option<&'static str> {
        (self.force && self.output.is_none()).then_some("--force overwrites the file of --output: add --output")
    }
}
