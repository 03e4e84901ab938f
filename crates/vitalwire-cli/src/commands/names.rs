//! Names that the client does not know are sent all the same: the service may have more. Where it refuses them, the hint says what was
//! probably meant.

use vitalwire::ErrorKind;
use vitalwire::value::OpenSet;

use crate::failure::Failure;
use crate::nearest::nearest;

/// Names given for parameters that the client does not know.
#[derive(Clone, Debug, Default)]
pub(super) struct Unknown {
    /// The parameter by the interface's name, and the known name that was probably meant.
    likely: Vec<(&'static str, &'static str)>,
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
            let likely = nearest(name.as_ref(), takes.iter().copied()).map(|near| (parameter, near));
            self.likely.extend(likely.filter(|likely| !self.likely.contains(likely)));
        }
        self
    }

    /// The failure, with a hint at what was meant where the service refuses one of them.
    pub(super) fn hint(&self, failure: Failure) -> Failure {
        let refused = failure.error().filter(|error| error.kind() == ErrorKind::InvalidRequest);
        let Some(error) = refused else { return failure };
        let places: Vec<&str> =
            error.problem().into_iter().flat_map(|problem| &problem.errors).filter_map(|entry| entry.location.as_deref()).collect();
        // A service that says no place may mean any of them.
        let meant = |parameter: &str| places.is_empty() || places.iter().any(|place| names(place, parameter));
        let likely: Vec<String> =
            self.likely.iter().filter(|(parameter, _)| meant(parameter)).map(|(_, near)| format!("`{near}`")).collect();
        if likely.is_empty() { failure } else { failure.hinted(&format!("did you mean {}?", likely.join(", "))) }
    }
}

/// Whether a place such as `query.types[0]` is in that parameter.
fn names(place: &str, parameter: &str) -> bool {
    place.split(['.', '[']).any(|part| part == parameter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_name_parameters() {
        for (place, is) in [("query.types", true), ("query.types[0]", true), ("types", true), ("query.device_types", false), ("", false)] {
            assert_eq!(names(place, "types"), is, "{place}");
        }
    }
}
