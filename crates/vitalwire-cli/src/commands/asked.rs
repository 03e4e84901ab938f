//! Names to request: those that the user gave, or all that the client knows.
//!
//! A service that lacks one name rejects the whole request. Names that the user gave are never dropped. Of all known names, those that the
//! service rejects are left out, and the rest is requested again.

use vitalwire::models::ProblemItem;
use vitalwire::{Error, ErrorKind};

use super::names::{concerns, places};
use crate::failure::{Failure, note};

/// Maximum number of rejected names to search for if the service does not state them. If it rejects more, the names are not the cause.
const MAX_UNNAMED: usize = 4;

/// The names to request for one parameter.
pub(super) struct Asked {
    /// The parameter's name in the interface.
    parameter: &'static str,
    names: Vec<String>,
    /// Whether the user gave the names.
    given: bool,
    left_out: Vec<String>,
}

impl Asked {
    /// Creates the list from names that the user gave.
    pub(super) fn given(parameter: &'static str, names: Vec<String>) -> Self {
        Self { parameter, names, given: true, left_out: Vec::new() }
    }

    /// Creates the list from all known names.
    pub(super) fn known(parameter: &'static str, names: Vec<String>) -> Self {
        Self { parameter, names, given: false, left_out: Vec::new() }
    }

    /// Returns the names to request next.
    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    /// Runs a call. As long as the service rejects some of the known names, runs it again without them. `probe` is a short form of the same
    /// call, made if the service does not say which names it rejects.
    pub(super) async fn run(
        mut self,
        probe: impl AsyncFn(&[String]) -> Result<(), Error>,
        call: impl AsyncFn(&[String]) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        loop {
            match call(&self.names).await {
                Err(failure) if self.leaves_out(&failure, &probe).await => {}
                done => return self.said(done),
            }
        }
    }

    /// Leaves out every name that a short call is rejected for, so that the names match those of an earlier run.
    pub(super) async fn settle(&mut self, probe: impl AsyncFn(&[String]) -> Result<(), Error>) {
        while !self.given
            && let Err(error) = probe(&self.names).await
            && self.finds_out(&error, &probe).await
        {}
    }

    /// Prints which names were left out and returns `done`.
    pub(super) fn said<T>(&self, done: T) -> T {
        self.left_out().iter().for_each(|text| note(text));
        done
    }

    /// Returns a sentence that lists the names left out, if any.
    pub(super) fn left_out(&self) -> Option<String> {
        let them = if self.left_out.len() == 1 { "it" } else { "them" };
        let names = self.left_out.join(", ");
        (!self.left_out.is_empty()).then(|| format!("left out, because the service refuses {them}: {names}"))
    }

    async fn leaves_out(&mut self, failure: &Failure, probe: impl AsyncFn(&[String]) -> Result<(), Error>) -> bool {
        match failure.error() {
            Some(error) => self.finds_out(error, probe).await,
            None => false,
        }
    }

    /// Leaves out the names that the error rejects, found with short calls if the error does not name them. Returns `false` if the error
    /// stands: the user gave the names, the error has another cause, or no name would be left.
    pub(super) async fn finds_out(&mut self, error: &Error, probe: impl AsyncFn(&[String]) -> Result<(), Error>) -> bool {
        if self.given || !concerns(error, self.parameter) {
            return false;
        }
        let named = self.named(error);
        let refused = if named.is_empty() { halved(&self.names, probe).await } else { named };
        self.without(refused)
    }

    /// Leaves out the names that the error of an upload rejects. Makes no short calls, and never repeats an upload that took effect.
    pub(super) fn leaves_out_named(&mut self, error: &Error) -> bool {
        let had_effect = error.may_have_taken_effect() || error.record_id().is_some();
        let stands = self.given || had_effect || !concerns(error, self.parameter);
        self.without(if stands { Vec::new() } else { self.named(error) })
    }

    fn without(&mut self, refused: Vec<String>) -> bool {
        if refused.is_empty() || self.names.iter().all(|name| refused.contains(name)) {
            return false;
        }
        self.names.retain(|name| !refused.contains(name));
        self.left_out.extend(refused);
        true
    }

    /// Returns the names that an error rejects. Ignores messages, because they may list the accepted names.
    fn named(&self, error: &Error) -> Vec<String> {
        let items = error.problem().into_iter().flat_map(|problem| problem.errors.as_slice());
        let mut named: Vec<String> = items.filter_map(|item| self.name_of(item)).collect();
        named.sort();
        named.dedup();
        named
    }

    /// Returns the name that a problem item is about: its value, or the name at its position.
    fn name_of(&self, item: &ProblemItem) -> Option<String> {
        let mut parts = places(item.location.as_deref()?).skip_while(|part| *part != self.parameter);
        parts.next()?;
        let at = match &item.value {
            Some(value) => {
                let value = value.to_value()?;
                self.names.iter().position(|name| Some(name.as_str()) == value.as_str())?
            }
            None => parts.next()?.parse().ok()?,
        };
        self.names.get(at).cloned()
    }
}

/// Finds the rejected names by bisection. Returns an empty list if all names are accepted, or hardly any.
async fn halved(names: &[String], probe: impl AsyncFn(&[String]) -> Result<(), Error>) -> Vec<String> {
    let (mut refused, mut parts) = (Vec::new(), vec![names]);
    while let Some(part) = parts.pop() {
        match (probe(part).await, part) {
            (Ok(()), _) => {}
            (Err(error), _) if error.kind() != ErrorKind::InvalidRequest => return Vec::new(),
            (Err(_), [name]) if refused.len() < MAX_UNNAMED => refused.push(name.clone()),
            (Err(_), [] | [_]) => return Vec::new(),
            (Err(_), _) => {
                let (first, second) = part.split_at(part.len() / 2);
                parts.extend([second, first]);
            }
        }
    }
    refused
}
