//! What is wrong with a document: gathered, and shown all at once.

use std::fmt;

use super::origin::Action;
use super::{Pointer, Spec};

/// One thing that is wrong, where, and what to do about it.
#[derive(Debug)]
pub struct Finding {
    /// The rule, for tests and for searching.
    pub rule: &'static str,
    file: String,
    pointer: Pointer,
    text: String,
    hint: &'static str,
    /// What wrote the place, where no base specification did.
    by: Option<Action>,
}

impl Finding {
    /// A finding without hint.
    pub fn new(rule: &'static str, file: impl Into<String>, pointer: Pointer, text: impl Into<String>) -> Self {
        Self { rule, file: file.into(), pointer, text: text.into(), hint: "", by: None }
    }

    /// Adds what to do about it.
    pub fn hint(mut self, hint: &'static str) -> Self {
        self.hint = hint;
        self
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.by {
            Some(by) => write!(f, "{} {}: {} of {}: {} [{}]", by.file, by.at, self.pointer, self.file, self.text, self.rule)?,
            None => write!(f, "{} {}: {} [{}]", self.file, self.pointer, self.text, self.rule)?,
        }
        if self.hint.is_empty() { Ok(()) } else { write!(f, "\n    hint: {}", self.hint) }
    }
}

/// Every finding of a run.
#[derive(Debug, Default)]
pub struct Findings(Vec<Finding>);

impl Findings {
    /// Adds one.
    pub fn push(&mut self, finding: Finding) {
        self.0.push(finding);
    }

    /// Names the overlay where it wrote the place of a finding.
    pub fn attribute(&mut self, specs: &[Spec]) {
        for finding in &mut self.0 {
            let spec = specs.iter().find(|spec| spec.path == finding.file);
            finding.by = spec.and_then(|spec| spec.origins.of(&finding.pointer)).cloned();
        }
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many were found: code that asks for it before and after knows whether it may go on.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The value if nothing was found.
    ///
    /// # Errors
    /// The findings, if there are any.
    pub fn into_result<T>(self, value: T) -> Result<T, Self> {
        if self.0.is_empty() { Ok(value) } else { Err(self) }
    }

    /// (rule, pointer) of every finding, for tests.
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
