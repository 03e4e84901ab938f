//! Places in a document, for findings.

use std::fmt::Display;

use crate::spec::{Finding, Pointer};

/// A place in a file.
#[derive(Clone, Debug)]
pub(super) struct Location<'a> {
    file: &'a str,
    at: Pointer,
}

impl<'a> Location<'a> {
    /// Creates a place from a file and a pointer.
    pub(super) fn new(file: &'a str, at: Pointer) -> Self {
        Self { file, at }
    }

    /// Returns the place one step deeper.
    pub(super) fn join(&self, step: impl Display) -> Self {
        Self { file: self.file, at: self.at.join(step) }
    }

    pub(super) fn finding(&self, rule: &'static str, text: impl Into<String>) -> Finding {
        Finding::new(rule, self.file, self.at.clone(), text)
    }
}
