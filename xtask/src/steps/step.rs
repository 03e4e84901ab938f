//! A step of `cargo xtask test`.

use super::context::{Context, Outcome};

/// The runs that include a step. A step also runs if it is requested by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Occasion {
    /// Every run.
    Always,
    /// Runs with `--deep`, because the step takes minutes.
    Deep,
}

/// A step: its name, when it runs, and its function.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    pub(crate) name: &'static str,
    pub(crate) occasion: Occasion,
    pub(crate) run: fn(&Context) -> anyhow::Result<Outcome>,
}

impl Step {
    /// Creates a step of every run.
    pub(crate) const fn new(name: &'static str, run: fn(&Context) -> anyhow::Result<Outcome>) -> Self {
        Self { name, occasion: Occasion::Always, run }
    }

    /// Creates a step of `--deep`.
    pub(crate) const fn deep(name: &'static str, run: fn(&Context) -> anyhow::Result<Outcome>) -> Self {
        Self { name, occasion: Occasion::Deep, run }
    }
}
