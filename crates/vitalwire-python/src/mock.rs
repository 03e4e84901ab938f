//! Mock responses.

use std::path::PathBuf;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use vitalwire::mock::{self, MockResponse, MockResponses as Core};

use crate::arguments::{methods, numbers};
use crate::generated::docs;
use crate::getters::getters;
use crate::{convert, errors};

#[doc = docs!(MockResponses)]
#[pyclass(frozen, module = "vitalwire")]
pub(crate) struct MockResponses(Core);

#[pymethods]
impl MockResponses {
    #[new]
    fn new() -> Self {
        Self(Core::new())
    }

    #[doc = docs!(MockResponses.samples)]
    #[staticmethod]
    fn samples() -> Self {
        Self(mock::samples())
    }

    #[doc = docs!(MockResponses.from_folder)]
    #[staticmethod]
    fn from_folder(py: Python<'_>, #[pyo3(from_py_with = methods::folder)] folder: PathBuf) -> PyResult<Self> {
        py.detach(|| Core::from_folder(folder)).map(Self).map_err(|error| errors::raise(py, error))
    }

    #[doc = docs!(MockResponses.on)]
    #[pyo3(signature = (operation, body=None, *, status=200, headers=None, delay=0.0))]
    fn on<'py>(
        this: Bound<'py, Self>,
        #[pyo3(from_py_with = methods::operation)] operation: &str,
        body: Option<&Bound<'py, PyAny>>,
        #[pyo3(from_py_with = numbers::status)] status: u16,
        headers: Option<&Bound<'py, PyDict>>,
        #[pyo3(from_py_with = numbers::delay)] delay: f64,
    ) -> PyResult<Bound<'py, Self>> {
        let py = this.py();
        let mut response = match body {
            None => MockResponse::status(status),
            Some(body) if convert::has_bytes(body) => {
                MockResponse::json(convert::as_bytes("body", body)?.as_bytes().to_vec()).with_status(status)
            }
            Some(body) => {
                let text: String = py.import("json")?.call_method1("dumps", (body,))?.extract()?;
                MockResponse::json(text).with_status(status)
            }
        };
        for (name, value) in headers.into_iter().flatten() {
            let text = |item: &Bound<'_, PyAny>| {
                item.extract::<String>().map_err(|_| PyTypeError::new_err("argument 'headers': names and values must be str"))
            };
            response = response.header(&text(&name)?, &text(&value)?);
        }
        // A delay may be 0, which `to_duration` rejects because timeouts may not.
        if delay != 0.0 {
            response.delay = convert::to_duration("delay", delay).map_err(|error| errors::raise(py, error))?;
        }
        this.get().0.add(operation, response);
        Ok(this)
    }

    #[doc = docs!(MockResponses.clear)]
    fn clear(&self, #[pyo3(from_py_with = methods::operation)] operation: &str) {
        self.0.clear(operation);
    }

    #[doc = docs!(MockResponses.requests)]
    #[getter]
    fn requests(&self) -> Vec<MockRequest> {
        self.0.requests().into_iter().map(MockRequest).collect()
    }

    fn __repr__(&self) -> String {
        format!("MockResponses(requests={})", self.0.requests().len())
    }
}

/// The setting `mock_responses` of a client.
#[derive(Clone)]
pub(crate) struct MockSetting(pub(crate) Core);

impl FromPyObject<'_, '_> for MockSetting {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        let responses = object.cast::<MockResponses>().map_err(|_| PyTypeError::new_err("must be MockResponses"))?;
        Ok(Self(responses.get().0.clone()))
    }
}

#[doc = docs!(MockRequest)]
#[pyclass(frozen, module = "vitalwire")]
pub(crate) struct MockRequest(mock::MockRequest);

getters!(MockRequest, self {
    operation: &'static str = self.0.operation,
    http_method: &str = &self.0.http_method,
    path: &str = &self.0.path,
    query: Vec<(String, String)> = self.0.query.clone(),
});

#[pymethods]
impl MockRequest {
    #[doc = docs!(MockRequest.body)]
    #[getter]
    fn body<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.body)
    }

    fn __repr__(&self) -> String {
        format!("MockRequest(operation='{}')", self.0.operation)
    }
}
