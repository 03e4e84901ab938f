//! What a run found, as lines of JSON that `cargo xtask bench` makes a table of.

use serde::Serialize;

/// One measure.
#[derive(Clone, Debug, Serialize)]
pub struct Line {
    /// What was measured, for example `decode interval`.
    pub measure: String,
    /// Our figure, with its unit.
    pub ours: String,
    /// The baseline's figure, with its unit; empty where there is none.
    pub baseline: String,
    /// What the gate is held against: a ratio where there is a baseline, else our figure.
    pub figure: f64,
    /// The gate, for example `>= 1.05`; empty where the measure is printed for information.
    pub gate: String,
    /// Whether the gate is met; `None` without one.
    pub met: Option<bool>,
}

impl Line {
    /// A measure without a gate.
    #[must_use]
    pub fn new(measure: impl Into<String>, ours: String, baseline: String, figure: f64) -> Self {
        Self { measure: measure.into(), ours, baseline, figure, gate: String::new(), met: None }
    }

    /// The figure must be this or more.
    #[must_use]
    pub fn at_least(mut self, least: f64) -> Self {
        self.gate = format!(">= {least}");
        self.met = Some(self.figure >= least);
        self
    }

    /// The figure must be this or less.
    #[must_use]
    pub fn at_most(mut self, most: f64) -> Self {
        self.gate = format!("<= {most}");
        self.met = Some(self.figure <= most);
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
        // NaN, of a measure that did not run, meets nothing.
        assert_eq!(line(f64::NAN).at_most(1.0).met, Some(false));
    }
}
