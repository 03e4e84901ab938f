//! Results of a run, as lines of JSON. `cargo xtask bench` compares them with their gates and formats them as a table.

use std::io::Write;

use anyhow::Result;
use serde::{Deserialize, Serialize};

/// Result of one benchmark.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Line {
    /// Name of the benchmark, for example `decode: interval`.
    pub measure: String,
    /// Our result, with its unit.
    pub ours: String,
    /// Result of the baseline, with its unit; empty if there is none.
    #[serde(default)]
    pub baseline: String,
    /// Value compared with the gate: the ratio to the baseline, or our result without one.
    pub figure: f64,
    /// The gate, for example `>= 1.05`; empty if there is none.
    #[serde(default)]
    pub gate: String,
}

impl Line {
    /// Creates a result without a gate.
    #[must_use]
    pub fn new(measure: impl Into<String>, ours: String, baseline: String, figure: f64) -> Self {
        Self { measure: measure.into(), ours, baseline, figure, gate: String::new() }
    }

    /// Requires at least this value.
    #[must_use]
    pub fn at_least(self, min: f64) -> Self {
        Self { gate: format!(">= {min}"), ..self }
    }

    /// Requires at most this value.
    #[must_use]
    pub fn at_most(self, max: f64) -> Self {
        Self { gate: format!("<= {max}"), ..self }
    }
}

/// Prints each result on a line of its own.
///
/// # Errors
/// Fails if standard output is closed.
pub fn print(lines: Vec<Line>) -> Result<()> {
    lines.iter().try_for_each(|line| Ok(writeln!(std::io::stdout(), "{}", serde_json::to_string(line)?)?))
}
