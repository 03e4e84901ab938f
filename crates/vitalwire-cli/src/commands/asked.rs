//! Names that a command asks for: those given to it, or every one that the client knows.
//!
//! A service that lacks one name refuses the whole request. What was given is the caller's own; of all known names, those that the service
//! refuses are left out, and the rest is asked for again.

use vitalwire::models::ProblemItem;
use vitalwire::{Error, ErrorKind};

use super::names::{concerns, places};
use crate::failure::{Failure, note};

/// How many names a service that does not say which it refuses may lack. Where it refuses more, the names are not what it refuses.
const MAX_UNNAMED: usize = 4;

/// The names asked for as a parameter.
pub(super) struct Asked {
    /// The parameter by the interface's name.
    parameter: &'static str,
    names: Vec<String>,
    /// Whether the caller named them.
    given: bool,
    left_out: Vec<String>,
}

impl Asked {
    /// Those that the caller named.
    pub(super) fn given(parameter: &'static str, names: Vec<String>) -> Self {
        Self { parameter, names, given: true, left_out: Vec::new() }
    }

    /// All that are known.
    pub(super) fn known(parameter: &'static str, names: Vec<String>) -> Self {
        Self { parameter, names, given: false, left_out: Vec::new() }
    }

    /// What is to be asked for now.
    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    /// Runs a call and, as long as the service refuses some of all known names, again without those. `probe` is the same call in short, made
    /// where the service does not say which names it refuses.
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

    /// Leaves out at once what a short call is refused, so that the names are those of an earlier run.
    pub(super) async fn settle(&mut self, probe: impl AsyncFn(&[String]) -> Result<(), Error>) {
        while !self.given
            && let Err(error) = probe(&self.names).await
            && self.finds_out(&error, &probe).await
        {}
    }

    /// Says which names were left out, beside how it ended.
    pub(super) fn said<T>(&self, done: T) -> T {
        self.left_out().iter().for_each(|text| note(text));
        done
    }

    /// Which names were left out, in a sentence.
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

    /// Leaves out what that error refuses, found out by short calls where it does not say so. False where it stands: the caller gave the
    /// names, the error is about something else, or nothing would be left.
    pub(super) async fn finds_out(&mut self, error: &Error, probe: impl AsyncFn(&[String]) -> Result<(), Error>) -> bool {
        if self.given || !concerns(error, self.parameter) {
            return false;
        }
        let named = self.named(error);
        let refused = if named.is_empty() { halved(&self.names, probe).await } else { named };
        self.without(refused)
    }

    /// The same for an upload: none can be made to find out, and one that had an effect is not made again.
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

    /// The names that an error says are refused. Messages are not read: they may list what is accepted.
    fn named(&self, error: &Error) -> Vec<String> {
        let items = error.problem().into_iter().flat_map(|problem| problem.errors.as_slice());
        let mut named: Vec<String> = items.filter_map(|item| self.name_of(item)).collect();
        named.sort();
        named.dedup();
        named
    }

    /// The name that an item of a problem is about: its value, or the one at its place.
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

/// The names that are refused, found by asking for ever smaller parts of them; none where all are accepted, or hardly any.
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
