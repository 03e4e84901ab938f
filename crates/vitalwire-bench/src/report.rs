//! Results of a run, as lines of JSON that `cargo xtask bench` formats as a table.

use serde::Serialize;

/// Result of one benchmark.
#[derive(Clone, Debug, Serialize)]
pub struct Line {
    /// Name of the benchmark, for example `decode interval`.
    pub measure: String,
    /// Our result, with its unit.
    pub ours: String,
    /// Result of the baseline, with its unit; empty if there is none.
    pub baseline: String,
    /// Value compared with the gate: the ratio to the baseline, or our result without one.
    pub figure: f64,
    /// The gate, for example `>= 1.05`; empty if there is none.
    pub gate: String,
    /// Whether the result meets the gate; `None` without one.
    pub met: Option<bool>,
}

impl Line {
    /// Creates a result without a gate.
    #[must_use]
    pub fn new(measure: impl Into<String>, ours: String, baseline: String, figure: f64) -> Self {
        Self { measure: measure.into(), ours, baseline, figure, gate: String::new(), met: None }
    }

    /// Requires at least this value.
    #[must_use]
    pub fn at_least(mut self, min: f64) -> Self {
        self.gate = format!(">= {min}");
        self.met = Some(self.figure >= min);
        self
    }

    /// Requires at most this value.
    #[must_use]
    pub fn at_most(mut self, max: f64) -> Self {
        self.gate = format!("<= {max}");
        self.met = Some(self.figure <= max);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gate_is_met_at_its_bound_and_not_beyond() {
        let line = |figure| Line::new("m", String::new(), String::new(), figure);
        assert_eq!((line(1.05).at_least(1.05).met, line(1.04).at_least(1.05).met), (Some(true), Some(false)));
        assert_eq!((line(1.1).at_most(1.1).met, line(1.11).at_most(1.1).met), (Some(true), Some(false)));
        assert_eq!(line(1.0).met, None);
        // NaN, the value of a benchmark that did not run, meets no gate.
        assert_eq!(line(f64::NAN).at_most(1.0).met, Some(false));
    }
}
