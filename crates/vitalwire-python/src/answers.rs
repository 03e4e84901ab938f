//! Answers from memory, as Python gives them.

use std::path::PathBuf;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use vitalwire::answers::{self, Answer, Answers as Core};

use crate::generated::docs;
use crate::getters::getters;
use crate::given::methods;
use crate::{convert, errors};

#[doc = docs!(Answers)]
#[pyclass(frozen, module = "vitalwire")]
pub(crate) struct Answers(Core);

#[pymethods]
impl Answers {
    #[new]
    fn new() -> Self {
        Self(Core::new())
    }

    #[doc = docs!(Answers.samples)]
    #[staticmethod]
    fn samples() -> Self {
        Self(answers::samples())
    }

    #[doc = docs!(Answers.from_folder)]
    #[staticmethod]
    fn from_folder(py: Python<'_>, #[pyo3(from_py_with = methods::folder)] folder: PathBuf) -> PyResult<Self> {
        py.detach(|| Core::from_folder(folder)).map(Self).map_err(|error| errors::raise(py, error))
    }

    #[doc = docs!(Answers.on)]
    #[pyo3(signature = (operation, body=None, *, status=200, headers=None, delay=0.0))]
    fn on<'py>(
        this: Bound<'py, Self>,
        #[pyo3(from_py_with = methods::operation)] operation: &str,
        body: Option<&Bound<'py, PyAny>>,
        status: u16,
        headers: Option<&Bound<'py, PyDict>>,
        delay: f64,
    ) -> PyResult<Bound<'py, Self>> {
        let py = this.py();
        let mut answer = match body {
            None => Answer::status(status),
            Some(body) if convert::has_bytes(body) => {
                Answer::json(convert::as_bytes("body", body)?.as_bytes().to_vec()).with_status(status)
            }
            Some(body) => {
                let text: String = py.import("json")?.call_method1("dumps", (body,))?.extract()?;
                Answer::json(text).with_status(status)
            }
        };
        for (name, value) in headers.into_iter().flatten() {
            let text = |item: &Bound<'_, PyAny>| item.extract::<String>().map_err(|_| PyTypeError::new_err("headers are text"));
            answer = answer.header(&text(&name)?, &text(&value)?);
        }
        // A timeout must be above 0, a delay need not.
        if delay != 0.0 {
            answer.delay = convert::to_duration("delay", delay).map_err(|error| errors::raise(py, error))?;
        }
        this.get().0.add(operation, answer);
        Ok(this)
    }

    #[doc = docs!(Answers.clear)]
    fn clear(&self, #[pyo3(from_py_with = methods::operation)] operation: &str) {
        self.0.clear(operation);
    }

    #[doc = docs!(Answers.requested)]
    #[getter]
    fn requested(&self) -> Vec<Requested> {
        self.0.requested().into_iter().map(Requested).collect()
    }

    fn __repr__(&self) -> String {
        format!("Answers(requested={})", self.0.requested().len())
    }
}

/// The setting of a client.
#[derive(Clone)]
pub(crate) struct GivenAnswers(pub(crate) Core);

impl FromPyObject<'_, '_> for GivenAnswers {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        let answers = object.cast::<Answers>().map_err(|_| PyTypeError::new_err("an Answers is needed"))?;
        Ok(Self(answers.get().0.clone()))
    }
}

#[doc = docs!(Requested)]
#[pyclass(frozen, module = "vitalwire")]
pub(crate) struct Requested(answers::Requested);

getters!(Requested, self {
    operation: &'static str = self.0.operation,
    http_method: &str = &self.0.http_method,
    path: &str = &self.0.path,
    query: Vec<(String, String)> = self.0.query.clone(),
});

#[pymethods]
impl Requested {
    #[doc = docs!(Requested.body)]
    #[getter]
    fn body<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.body)
    }

    fn __repr__(&self) -> String {
        format!("Requested(operation='{}')", self.0.operation)
    }
}
