//! Redirects of the consent flow.

use std::hash::{Hash, Hasher};

use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use vitalwire::consent::{self, Outcome};
use vitalwire::value::Extra;

use crate::arguments::methods;
use crate::errors;
use crate::generated::docs;
use crate::getters::getters;
use crate::shape::Shape;

#[doc = docs!(ConsentRedirect)]
#[pyclass(frozen, eq, hash, module = "vitalwire")]
#[derive(PartialEq, Eq)]
pub(crate) struct ConsentRedirect(consent::ConsentRedirect);

impl Hash for ConsentRedirect {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.0.user_id(), self.0.state(), self.completed()).hash(state);
    }
}

getters!(ConsentRedirect, self {
    user_id: Option<&str> = self.0.user_id(),
    provider_slug: Option<&str> = self.0.provider_slug().map(AsRef::as_ref),
    state: Option<&str> = self.0.state(),
    completed: bool = *self.0.outcome() == Outcome::Completed,
});

#[pymethods]
impl ConsentRedirect {
    #[doc = docs!(ConsentRedirect.failure)]
    #[getter]
    fn failure(&self) -> Option<&str> {
        match self.0.outcome() {
            Outcome::Failed(failure) => Some(failure.text()),
            _ => None,
        }
    }

    #[doc = docs!(ConsentRedirect.extra)]
    #[getter]
    fn extra<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.extra().collect::<Vec<_>>())
    }

    fn __repr__(&self) -> String {
        let shape = Shape::new("ConsentRedirect").member("user_id", self.0.user_id().is_some());
        let shape = shape.member("provider_slug", self.0.provider_slug().is_some()).member("state", self.0.state().is_some());
        let shape = shape.member("failure", !self.completed());
        shape.items("extra", self.0.extra().count()).finish(&Extra::default())
    }
}

#[doc = docs!(parse_consent_redirect)]
#[pyfunction]
#[pyo3(signature = (url_or_query, expected_state=None))]
pub(crate) fn parse_consent_redirect(
    py: Python<'_>,
    #[pyo3(from_py_with = methods::url_or_query)] url_or_query: Bound<'_, PyString>,
    #[pyo3(from_py_with = methods::expected_state)] expected_state: Option<&str>,
) -> PyResult<ConsentRedirect> {
    // Unpaired surrogates become replacement characters, which match no state.
    let text = url_or_query.to_string_lossy();
    consent::ConsentRedirect::parse(&text, expected_state).map(ConsentRedirect).map_err(|error| errors::raise(py, error))
}
