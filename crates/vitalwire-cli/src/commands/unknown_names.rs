//! Names that the client does not know. They are sent anyway, because the service may have more names. If the service rejects them, the
//! hint suggests the most similar known names.

use vitalwire::value::OpenSet;
use vitalwire::{Error, ErrorKind};

use crate::failure::Failure;
use crate::nearest::nearest;
use crate::render::style::{clean, truncate};

/// Maximum number of unknown names in a hint.
const MAX_NAMES: usize = 8;
/// Length of the longest name that is printed whole, in columns.
const MAX_NAME: usize = 40;

/// Names on the command line that the client does not know.
#[derive(Clone, Debug, Default)]
pub(super) struct UnknownNames {
    /// The parameter's name in the interface, the unknown name, and the most similar known name.
    names: Vec<(&'static str, String, Option<&'static str>)>,
}

impl UnknownNames {
    /// Adds the unknown names of a parameter that takes names of an open set.
    pub(super) fn add<S: OpenSet>(self, parameter: &'static str, names: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        self.add_limited::<S>(parameter, names, S::KNOWN)
    }

    /// Adds the unknown names of a parameter that takes some of the names of an open set.
    pub(super) fn add_limited<S: OpenSet>(
        mut self,
        parameter: &'static str,
        names: impl IntoIterator<Item = impl AsRef<str>>,
        accepted: &'static [&'static str],
    ) -> Self {
        for name in names.into_iter().filter(|name| S::index_of(name.as_ref()).is_none()) {
            let near = nearest(name.as_ref(), accepted.iter().copied());
            let entry = (parameter, truncate(&clean(name.as_ref()), MAX_NAME), near);
            if !self.names.contains(&entry) {
                self.names.push(entry);
            }
        }
        self
    }

    /// Adds a hint about the unknown names to a failure, if the service may have rejected them.
    pub(super) fn hint(&self, failure: Failure) -> Failure {
        let Some(error) = failure.error() else { return failure };
        let names = self.names.iter().filter(|(parameter, ..)| may_concern(error, parameter)).take(MAX_NAMES);
        let names: Vec<String> = names
            .map(|(_, name, near)| match near {
                Some(near) => format!("`{name}` (did you mean `{near}`?)"),
                None => format!("`{name}`"),
            })
            .collect();
        if names.is_empty() { failure } else { failure.with_hint(&format!("unknown to this program: {}", names.join(", "))) }
    }
}

/// Whether the service may have rejected a request because of this parameter. An error without locations may concern any parameter.
pub(super) fn may_concern(error: &Error, parameter: &str) -> bool {
    let entries = error.problem().into_iter().flat_map(|problem| &problem.errors);
    let mut locations = entries.filter_map(|entry| entry.location.as_deref()).peekable();
    let meant = locations.peek().is_none() || locations.any(|location| location_segments(location).any(|part| part == parameter));
    error.kind() == ErrorKind::InvalidRequest && meant
}

/// Splits a location such as `query.types[0]` into its segments.
pub(super) fn location_segments(location: &str) -> impl Iterator<Item = &str> {
    location.split(['.', '[', ']']).filter(|part| !part.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_name_parameters() {
        for (place, is) in [("query.types", true), ("query.types[0]", true), ("types", true), ("query.device_types", false), ("", false)] {
            assert_eq!(location_segments(place).any(|part| part == "types"), is, "{place}");
        }
    }
}
