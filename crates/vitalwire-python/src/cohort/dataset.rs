//! Inspection and repair of datasets.

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::{PyDateTime, PyDict, PyTuple, PyType};
use vitalwire::value::Timestamp;
use vitalwire_cohort::CohortError;
use vitalwire_cohort::dataset::{Dataset, Problem, RemovedUser as CoreRemoved};

use super::failure::Failure;
use crate::convert;
use crate::generated::docs;

#[doc = docs!(RemovedUser)]
#[pyclass(frozen, module = "vitalwire.cohort")]
pub(crate) struct RemovedUser {
    #[doc = docs!(RemovedUser.sha256)]
    #[pyo3(get)]
    sha256: String,
    removed_at: i64,
    #[doc = docs!(RemovedUser.rows)]
    #[pyo3(get)]
    rows: Py<PyDict>,
    #[doc = docs!(RemovedUser.files)]
    #[pyo3(get)]
    files: u64,
}

impl RemovedUser {
    fn from_core(py: Python<'_>, core: CoreRemoved) -> PyResult<Self> {
        let rows = PyDict::new(py);
        for (table, count) in core.rows {
            rows.set_item(table.as_str(), count)?;
        }
        Ok(Self { sha256: core.sha256, removed_at: core.removed_at, rows: rows.unbind(), files: core.files })
    }
}

#[pymethods]
impl RemovedUser {
    #[doc = docs!(RemovedUser._restore)]
    #[classmethod]
    fn _restore(_cls: &Bound<'_, PyType>, sha256: String, removed_at: i64, rows: Py<PyDict>, files: u64) -> Self {
        Self { sha256, removed_at, rows, files }
    }

    #[doc = docs!(RemovedUser.removed_at)]
    #[getter]
    fn removed_at<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDateTime>>> {
        Timestamp::from_unix(self.removed_at, 0).map(|time| convert::datetime(py, time)).transpose()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("RemovedUser(sha256='{}', rows={}, files={})", self.sha256, self.rows.bind(py).repr()?, self.files))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let fields = (&*self.sha256, self.removed_at, self.rows.bind(py), self.files).into_pyobject(py)?;
        Ok((py.get_type::<Self>().getattr("_restore")?, fields))
    }
}

#[doc = docs!(failures)]
#[pyfunction]
pub(super) fn failures(py: Python<'_>, path: PathBuf) -> PyResult<Vec<Failure>> {
    run(py, || Dataset::open(path)?.failures()).map(|failures| failures.into_iter().map(Failure).collect())
}

#[doc = docs!(_cohort_verify)]
#[pyfunction]
#[pyo3(name = "verify")]
pub(super) fn _cohort_verify(py: Python<'_>, path: PathBuf) -> PyResult<Vec<String>> {
    let (problems, is_finished) = run(py, || Dataset::open(path).and_then(|dataset| Ok((dataset.verify()?, dataset.is_finished()))))?;
    let incomplete = (!is_finished).then(|| "the last run is incomplete; export again with resume=True".to_owned());
    Ok(problems.iter().map(Problem::to_string).chain(incomplete).collect())
}

#[doc = docs!(repair)]
#[pyfunction]
pub(super) fn repair(py: Python<'_>, path: PathBuf) -> PyResult<Vec<String>> {
    run(py, || Dataset::repair(path)).map(|problems| problems.iter().map(Problem::to_string).collect())
}

#[doc = docs!(remove_user)]
#[pyfunction]
pub(super) fn remove_user(py: Python<'_>, path: PathBuf, user: &Bound<'_, PyAny>) -> PyResult<RemovedUser> {
    let user: String = crate::arguments::extract(user, "user")?;
    run(py, || Dataset::remove_user(path, &user)).and_then(|proof| RemovedUser::from_core(py, proof))
}

fn run<T: Send>(py: Python<'_>, work: impl FnOnce() -> Result<T, CohortError> + Send) -> PyResult<T> {
    py.detach(work).map_err(|error| super::raise(py, "path", error))
}
