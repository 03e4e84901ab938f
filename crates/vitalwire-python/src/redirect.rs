//! What the browser brings back at the end of the consent flow.

use std::hash::{Hash, Hasher};

use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use vitalwire::redirect::{Outcome, Return};
use vitalwire::value::Extra;

use crate::errors;
use crate::generated::docs;
use crate::getters::getters;
use crate::given::methods;
use crate::shape::Shape;

#[doc = docs!(Redirect)]
#[pyclass(frozen, eq, hash, module = "vitalwire")]
#[derive(PartialEq, Eq)]
pub(crate) struct Redirect(Return);

impl Hash for Redirect {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.0.user_id(), self.0.state(), self.completed()).hash(state);
    }
}

getters!(Redirect, self {
    user_id: Option<&str> = self.0.user_id(),
    provider_slug: Option<&str> = self.0.provider_slug().map(AsRef::as_ref),
    state: Option<&str> = self.0.state(),
    completed: bool = *self.0.outcome() == Outcome::Completed,
});

#[pymethods]
impl Redirect {
    #[doc = docs!(Redirect.error)]
    #[getter]
    fn error(&self) -> Option<&str> {
        match self.0.outcome() {
            Outcome::Failed(failure) => Some(failure.text()),
            _ => None,
        }
    }

    #[doc = docs!(Redirect.extra)]
    #[getter]
    fn extra<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.extra().collect::<Vec<_>>())
    }

    fn __repr__(&self) -> String {
        let shape = Shape::new("Redirect").member("user_id", self.0.user_id().is_some());
        let shape = shape.member("provider_slug", self.0.provider_slug().is_some()).member("state", self.0.state().is_some());
        let shape = shape.member("error", !self.completed());
        shape.items("extra", self.0.extra().count()).finish(&Extra::default())
    }
}

#[doc = docs!(parse_redirect)]
#[pyfunction]
#[pyo3(signature = (url_or_query, expected_state=None))]
pub(crate) fn parse_redirect(
    py: Python<'_>,
    #[pyo3(from_py_with = methods::url_or_query)] url_or_query: Bound<'_, PyString>,
    #[pyo3(from_py_with = methods::expected_state)] expected_state: Option<&str>,
) -> PyResult<Redirect> {
    // Half a character is written like one that is none: no state has it, and no id is read from it.
    let text = url_or_query.to_string_lossy();
    Return::parse(&text, expected_state).map(Redirect).map_err(|error| errors::raise(py, error))
}
