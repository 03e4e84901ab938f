//! Echo probe for tests (feature `__probe`): round trips of all types, all errors, a panic and a slow call.

use std::time::Duration;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDate, PyDateTime};
use vitalwire::{Error, ErrorKind};

use crate::runtime::{self, CallShape};
use crate::{convert, errors};

/// Echo probe for tests.
#[pyclass(frozen, module = "vitalwire")]
pub(crate) struct Probe;

#[pymethods]
impl Probe {
    /// Raises the error with this number.
    #[staticmethod]
    fn fail(py: Python<'_>, code: u16) -> PyResult<()> {
        let kind = ErrorKind::from_code(code)
            .ok_or_else(|| errors::raise(py, Error::invalid_argument("code", "must be the number of an error kind")))?;
        runtime::wait(py, CallShape::Single, async { Err(Error::new(kind).into()) })
    }

    /// Panics on the thread that drives calls.
    #[staticmethod]
    #[allow(clippy::panic, reason = "what is probed")]
    fn panic(py: Python<'_>, text: String) -> PyResult<()> {
        runtime::wait(py, CallShape::Single, async move { panic!("{text}") })
    }

    /// Sleeps for a number of seconds.
    #[staticmethod]
    fn wait(py: Python<'_>, seconds: f64) -> PyResult<()> {
        let time = Duration::try_from_secs_f64(seconds).unwrap_or_default();
        runtime::wait(py, CallShape::Single, async move {
            tokio::time::sleep(time).await;
            Ok(())
        })
    }

    #[staticmethod]
    fn boolean(value: bool) -> bool {
        value
    }

    #[staticmethod]
    fn integer(value: i64) -> i64 {
        value
    }

    #[staticmethod]
    fn number(value: f64) -> f64 {
        value
    }

    #[staticmethod]
    fn text(value: String) -> String {
        value
    }

    #[staticmethod]
    fn instant<'py>(py: Python<'py>, value: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyDateTime>> {
        convert::datetime(py, convert::to_timestamp("value", &value)?)
    }

    #[staticmethod]
    fn date<'py>(py: Python<'py>, value: Bound<'py, PyDate>) -> PyResult<Bound<'py, PyDate>> {
        convert::date(py, convert::to_date("value", &value)?)
    }

    #[staticmethod]
    fn raw<'py>(value: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
        convert::as_bytes("value", &value)
    }

    #[staticmethod]
    fn texts(value: Vec<String>) -> Vec<String> {
        value
    }

    #[staticmethod]
    fn series(py: Python<'_>, value: Vec<f64>) -> PyResult<Bound<'_, PyAny>> {
        convert::doubles(&convert::buffer(py, &value)?)
    }

    /// Converts JSON to a record of any type.
    #[staticmethod]
    fn json<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
        crate::json::value(py, text)
    }
}
