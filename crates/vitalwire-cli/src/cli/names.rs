//! Options that take names of sets which may grow.

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::error::Error;
use clap::{Arg, Command};
use std::ffi::OsStr;

use vitalwire::value::OpenSet;

/// Takes any name; help, manual and completions list those that the client knows.
#[derive(Clone, Debug)]
pub(super) struct Names(Vec<&'static str>);

impl Names {
    /// Those of a set.
    pub(super) fn of<S: OpenSet>() -> Self {
        Self::these(S::KNOWN)
    }

    /// Some of a set.
    pub(super) fn these(names: &[&'static str]) -> Self {
        Self(names.to_vec())
    }

    /// A word that stands for several of them, before them.
    pub(super) fn or(mut self, word: &'static str) -> Self {
        self.0.insert(0, word);
        self
    }
}

impl TypedValueParser for Names {
    type Value = String;

    fn parse_ref(&self, command: &Command, argument: Option<&Arg>, value: &OsStr) -> Result<String, Error> {
        StringValueParser::new().parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.0.iter().map(|name| PossibleValue::new(*name))))
    }
}
