//! Findings: errors in a document, collected and reported together.

use std::fmt;

use super::origin::Action;
use super::{Pointer, Spec};

/// An error in a document, with its place and a remedy.
#[derive(Debug)]
pub struct Finding {
    /// Name of the broken rule, for tests and for searches.
    pub rule: &'static str,
    file: String,
    pointer: Pointer,
    text: String,
    hint: &'static str,
    /// Overlay action that wrote the place. `None` if it is in the base specification.
    action: Option<Action>,
}

impl Finding {
    /// Creates a finding without a hint.
    pub fn new(rule: &'static str, file: impl Into<String>, pointer: Pointer, text: impl Into<String>) -> Self {
        Self { rule, file: file.into(), pointer, text: text.into(), hint: "", action: None }
    }

    /// Adds a remedy.
    pub fn hint(mut self, hint: &'static str) -> Self {
        self.hint = hint;
        self
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.action {
            Some(action) => write!(f, "{} {}: {} of {}: {} [{}]", action.file, action.at, self.pointer, self.file, self.text, self.rule)?,
            None => write!(f, "{} {}: {} [{}]", self.file, self.pointer, self.text, self.rule)?,
        }
        if self.hint.is_empty() { Ok(()) } else { write!(f, "\n    hint: {}", self.hint) }
    }
}

/// All findings of a run.
#[derive(Debug, Default)]
pub struct Findings(Vec<Finding>);

impl Findings {
    /// Adds a finding.
    pub fn push(&mut self, finding: Finding) {
        self.0.push(finding);
    }

    /// Sets the overlay action of findings whose place an overlay wrote.
    pub fn attribute(&mut self, specs: &[Spec]) {
        for finding in &mut self.0 {
            let spec = specs.iter().find(|spec| spec.path == finding.file);
            finding.action = spec.and_then(|spec| spec.origins.find(&finding.pointer)).cloned();
        }
    }

    /// Whether there are no findings.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the number of findings. Compare it before and after a step to see whether the step failed.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns the value if there are no findings.
    ///
    /// # Errors
    /// Returns the findings if there are any.
    pub fn into_result<T>(self, value: T) -> Result<T, Self> {
        if self.0.is_empty() { Ok(value) } else { Err(self) }
    }

    /// Returns the rule and pointer of every finding, for tests.
    #[must_use]
    pub fn places(&self) -> Vec<(String, String)> {
        self.0.iter().map(|finding| (finding.rule.to_owned(), finding.pointer.to_string())).collect()
    }
}

impl fmt::Display for Findings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for finding in &self.0 {
            writeln!(f, "{finding}")?;
        }
        write!(f, "{} finding{}; nothing was written", self.0.len(), if self.0.len() == 1 { "" } else { "s" })
    }
}

impl std::error::Error for Findings {}
