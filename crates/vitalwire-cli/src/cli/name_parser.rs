//! Parsers for options with names of open sets.

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::error::Error;
use clap::{Arg, Command};
use std::ffi::OsStr;

use vitalwire::value::OpenSet;

/// Accepts any name. Help, manual pages and completions list the known ones.
#[derive(Clone, Debug)]
pub(super) struct NameParser(Vec<&'static str>);

impl NameParser {
    /// Lists the names of an open set.
    pub(super) fn for_set<S: OpenSet>() -> Self {
        Self::new(S::KNOWN)
    }

    /// Lists some of the names of an open set.
    pub(super) fn new(names: &[&'static str]) -> Self {
        Self(names.to_vec())
    }

    /// Adds a word that represents several names, before all names.
    pub(super) fn with_word(mut self, word: &'static str) -> Self {
        self.0.insert(0, word);
        self
    }
}

impl TypedValueParser for NameParser {
    type Value = String;

    fn parse_ref(&self, command: &Command, argument: Option<&Arg>, value: &OsStr) -> Result<String, Error> {
        StringValueParser::new().parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.0.iter().map(|name| PossibleValue::new(*name))))
    }
}
