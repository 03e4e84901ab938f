//! Users with their credentials.

use std::collections::BTreeMap;
use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use vitalwire::Error;
use vitalwire::cohort::{Credential, KeySource, People as Core};
use zeroize::Zeroizing;

use crate::errors;

/// The users of a cohort. Cannot be pickled; `vitalwire.cohort.People` can.
#[pyclass(frozen, module = "vitalwire", name = "_CohortPeople")]
pub(crate) struct People(pub(super) Core);

#[pymethods]
impl People {
    /// Reads a file of users.
    #[staticmethod]
    fn from_file(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        py.detach(|| Core::from_file(path)).map(Self).map_err(|error| super::raise(py, "path", error))
    }

    /// Creates users of an application whose key is in an environment variable.
    #[staticmethod]
    fn from_env(py: Python<'_>, ids: Vec<String>, application_id: i64, key_env: String) -> PyResult<Self> {
        Self::new(py, Core::of_application(ids, application_id, KeySource::Environment(key_env)))
    }

    /// Creates users of an application whose key is in a file.
    #[staticmethod]
    fn from_key_file(py: Python<'_>, ids: Vec<String>, application_id: i64, key_file: PathBuf) -> PyResult<Self> {
        Self::new(py, Core::of_application(ids, application_id, KeySource::File(key_file)))
    }

    /// Creates users from their access tokens by user id, in the order of `ids`.
    #[staticmethod]
    fn from_tokens(py: Python<'_>, tokens: BTreeMap<String, String>, ids: Vec<String>) -> PyResult<Self> {
        let mut tokens: BTreeMap<String, Zeroizing<String>> = tokens.into_iter().map(|(id, token)| (id, Zeroizing::new(token))).collect();
        let people = ids.into_iter().filter_map(|id| tokens.remove(&id).map(|token| (id, Credential::Token(token))));
        Self::new(py, Core::new(people.collect::<Vec<_>>()))
    }

    /// Ids of the users, in order.
    #[getter]
    fn ids<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.ids())
    }
}

impl People {
    fn new(py: Python<'_>, people: Result<Core, Error>) -> PyResult<Self> {
        people.map(Self).map_err(|error| errors::raise(py, error))
    }
}
