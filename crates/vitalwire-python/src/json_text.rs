//! JSON values that plain Python values cannot represent.

use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::arguments::methods;
use crate::generated::docs;

#[doc = docs!(JsonText)]
#[pyclass(frozen, eq, hash, module = "vitalwire")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct JsonText(String);

impl JsonText {
    /// Creates an object with this text.
    pub(crate) fn object<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
        Ok(Bound::new(py, Self(text.to_owned()))?.into_any())
    }
}

#[pymethods]
impl JsonText {
    #[new]
    #[pyo3(signature = (text, /))]
    fn new(#[pyo3(from_py_with = methods::text)] text: String) -> Self {
        Self(text)
    }

    #[doc = docs!(JsonText.text)]
    #[getter]
    fn text(&self) -> &str {
        &self.0
    }

    /// Returns a text with only the length, because the value may be health data.
    fn __repr__(&self) -> String {
        format!("JsonText({} characters)", self.0.chars().count())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (&str,)) {
        (py.get_type::<Self>(), (&self.0,))
    }
}
