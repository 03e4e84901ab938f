//! Names to request: names from the user, or all names that the client knows.
//!
//! A service that lacks one name rejects the whole request. Names from the user are never dropped. Of all known names, the rejected ones
//! are left out, and the others are requested again.

use vitalwire::models::ProblemItem;
use vitalwire::{Error, ErrorKind};

use super::unknown_names::{location_segments, may_concern};
use crate::failure::{Failure, note};

/// Maximum number of rejected names to search for if the service does not state them. If it rejects more, the names are not the cause.
const MAX_UNSTATED_REJECTIONS: usize = 4;

/// The names to request for one parameter.
pub(super) struct RequestedNames {
    /// The parameter's name in the interface.
    parameter: &'static str,
    names: Vec<String>,
    is_from_user: bool,
    left_out: Vec<String>,
}

impl RequestedNames {
    pub(super) fn from_user(parameter: &'static str, names: Vec<String>) -> Self {
        Self { parameter, names, is_from_user: true, left_out: Vec::new() }
    }

    pub(super) fn all_known(parameter: &'static str, names: Vec<String>) -> Self {
        Self { parameter, names, is_from_user: false, left_out: Vec::new() }
    }

    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    /// Runs a call. As long as the service rejects some of the known names, runs it again without them. `probe` is a short form of the same
    /// call, made if the service does not state the rejected names.
    pub(super) async fn run(
        mut self,
        probe: impl AsyncFn(&[String]) -> Result<(), Error>,
        call: impl AsyncFn(&[String]) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        loop {
            let outcome = call(&self.names).await;
            if let Err(failure) = &outcome
                && let Some(error) = failure.error()
                && self.remove_rejected(error, &probe).await
            {
                continue;
            }
            self.print_note();
            return outcome;
        }
    }

    /// Removes every name that short calls are rejected for, so that the names equal those of an earlier run.
    pub(super) async fn remove_all_rejected(&mut self, probe: impl AsyncFn(&[String]) -> Result<(), Error>) {
        while !self.is_from_user
            && let Err(error) = probe(&self.names).await
            && self.remove_rejected(&error, &probe).await
        {}
    }

    /// Prints which names were left out, if any.
    pub(super) fn print_note(&self) {
        self.left_out_note().iter().for_each(|text| note(text));
    }

    /// Returns a sentence that lists the names left out, if any.
    pub(super) fn left_out_note(&self) -> Option<String> {
        let them = if self.left_out.len() == 1 { "it" } else { "them" };
        let names = self.left_out.join(", ");
        (!self.left_out.is_empty()).then(|| format!("left out, because the service rejects {them}: {names}"))
    }

    /// Removes the names that the service rejected. Finds them with short calls if the error does not name them. Returns `false` if nothing
    /// was removed: the names come from the user, the error has another cause, or no name would be left.
    pub(super) async fn remove_rejected(&mut self, error: &Error, probe: impl AsyncFn(&[String]) -> Result<(), Error>) -> bool {
        if self.is_from_user || !may_concern(error, self.parameter) {
            return false;
        }
        let named = self.names_in_error(error);
        let rejected = if named.is_empty() { bisect(&self.names, probe).await } else { named };
        self.remove(rejected)
    }

    /// Removes the names that the error of an upload states. Makes no short calls. Returns `false` if the upload may have taken effect.
    pub(super) fn remove_stated(&mut self, error: &Error) -> bool {
        let had_effect = error.may_have_taken_effect() || error.record_id().is_some();
        let stands = self.is_from_user || had_effect || !may_concern(error, self.parameter);
        self.remove(if stands { Vec::new() } else { self.names_in_error(error) })
    }

    fn remove(&mut self, rejected: Vec<String>) -> bool {
        if rejected.is_empty() || self.names.iter().all(|name| rejected.contains(name)) {
            return false;
        }
        self.names.retain(|name| !rejected.contains(name));
        self.left_out.extend(rejected);
        true
    }

    /// Returns the names that an error rejects. Ignores messages, because they may list the accepted names.
    fn names_in_error(&self, error: &Error) -> Vec<String> {
        let items = error.problem().into_iter().flat_map(|problem| problem.errors.as_slice());
        let mut named: Vec<String> = items.filter_map(|item| self.name_in_item(item)).collect();
        named.sort();
        named.dedup();
        named
    }

    /// Returns the name that a problem item is about: its value, or the name at its position.
    fn name_in_item(&self, item: &ProblemItem) -> Option<String> {
        let mut parts = location_segments(item.location.as_deref()?).skip_while(|part| *part != self.parameter);
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
async fn bisect(names: &[String], probe: impl AsyncFn(&[String]) -> Result<(), Error>) -> Vec<String> {
    let (mut rejected, mut parts) = (Vec::new(), vec![names]);
    while let Some(part) = parts.pop() {
        match (probe(part).await, part) {
            (Ok(()), _) => {}
            (Err(error), _) if error.kind() != ErrorKind::InvalidRequest => return Vec::new(),
            (Err(_), [name]) if rejected.len() < MAX_UNSTATED_REJECTIONS => rejected.push(name.clone()),
            (Err(_), [] | [_]) => return Vec::new(),
            (Err(_), _) => {
                let (first, second) = part.split_at(part.len() / 2);
                parts.extend([second, first]);
            }
        }
    }
    rejected
}
