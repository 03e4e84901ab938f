//! A place in one document, to report findings at.

use std::fmt::Display;

use crate::spec::{Finding, Pointer};

/// A file and a place in it.
#[derive(Clone, Debug)]
pub(super) struct Spot<'a> {
    file: &'a str,
    at: Pointer,
}

impl<'a> Spot<'a> {
    /// A place in a file.
    pub(super) fn new(file: &'a str, at: Pointer) -> Self {
        Self { file, at }
    }

    /// The place one step further.
    pub(super) fn then(&self, step: impl Display) -> Self {
        Self { file: self.file, at: self.at.then(step) }
    }

    /// A finding at this place.
    pub(super) fn finding(&self, rule: &'static str, text: impl Into<String>) -> Finding {
        Finding::new(rule, self.file, self.at.clone(), text)
    }
}
