//! Names that the client does not know are sent all the same: the service may have more. Where it refuses them, the hint says what was
//! probably meant.

use vitalwire::value::OpenSet;
use vitalwire::{Error, ErrorKind};

use crate::failure::Failure;
use crate::nearest::nearest;
use crate::render::style::{clean, fit};

/// How many unknown names a hint has.
const MAX_NAMES: usize = 8;
/// The longest name that is printed whole, in columns.
const MAX_NAME: usize = 40;

/// Names given for parameters that the client does not know.
#[derive(Clone, Debug, Default)]
pub(super) struct Unknown {
    /// The parameter by the interface's name, the name that was given, and the known name that was probably meant.
    names: Vec<(&'static str, String, Option<&'static str>)>,
}

impl Unknown {
    /// Adds those of a parameter, which takes names of a set.
    pub(super) fn add<S: OpenSet>(self, parameter: &'static str, given: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        self.add_of::<S>(parameter, given, S::KNOWN)
    }

    /// The same for a parameter that takes some names of a set.
    pub(super) fn add_of<S: OpenSet>(
        mut self,
        parameter: &'static str,
        given: impl IntoIterator<Item = impl AsRef<str>>,
        takes: &'static [&'static str],
    ) -> Self {
        for name in given.into_iter().filter(|name| S::index_of(name.as_ref()).is_none()) {
            let near = nearest(name.as_ref(), takes.iter().copied());
            let entry = (parameter, fit(&clean(name.as_ref()), MAX_NAME), near);
            if !self.names.contains(&entry) {
                self.names.push(entry);
            }
        }
        self
    }

    /// Adds a hint at the unknown names to a failure, if the service may reject them.
    pub(super) fn hint(&self, failure: Failure) -> Failure {
        let Some(error) = failure.error() else { return failure };
        let names = self.names.iter().filter(|(parameter, ..)| concerns(error, parameter)).take(MAX_NAMES);
        let names: Vec<String> = names
            .map(|(_, name, near)| match near {
                Some(near) => format!("`{name}` (did you mean `{near}`?)"),
                None => format!("`{name}`"),
            })
            .collect();
        if names.is_empty() { failure } else { failure.hinted(&format!("unknown to this program: {}", names.join(", "))) }
    }
}

/// Whether the service may refuse a request for that parameter. One that says no place may mean any of them.
pub(super) fn concerns(error: &Error, parameter: &str) -> bool {
    let entries = error.problem().into_iter().flat_map(|problem| &problem.errors);
    let mut locations = entries.filter_map(|entry| entry.location.as_deref()).peekable();
    let meant = locations.peek().is_none() || locations.any(|location| places(location).any(|part| part == parameter));
    error.kind() == ErrorKind::InvalidRequest && meant
}

/// The parts of a place such as `query.types[0]`.
pub(super) fn places(location: &str) -> impl Iterator<Item = &str> {
    location.split(['.', '[', ']']).filter(|part| !part.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_name_parameters() {
        for (place, is) in [("query.types", true), ("query.types[0]", true), ("types", true), ("query.device_types", false), ("", false)] {
            assert_eq!(places(place).any(|part| part == "types"), is, "{place}");
        }
    }
}
