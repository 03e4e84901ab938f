//! Resume tokens.

use std::hash::{DefaultHasher, Hash, Hasher};

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use vitalwire::range::{RangeBounds, ResumeToken as Core};

use crate::arguments::methods;
use crate::generated::docs;
use crate::{convert, errors};

/// Converts the bounds of a range to a tuple of Python objects.
pub(super) fn bounds(py: Python<'_>, range: RangeBounds) -> PyResult<Bound<'_, PyTuple>> {
    match range {
        RangeBounds::Dates(days) => PyTuple::new(py, [convert::date(py, days.first())?, convert::date(py, days.last())?]),
        RangeBounds::Instants(range) => PyTuple::new(py, [convert::datetime(py, range.start())?, convert::datetime(py, range.end())?]),
    }
}

#[doc = docs!(ResumeToken)]
#[pyclass(frozen, module = "vitalwire")]
pub(crate) struct ResumeToken(pub(super) Core);

#[pymethods]
impl ResumeToken {
    #[doc = docs!(ResumeToken.parse)]
    #[staticmethod]
    fn parse(py: Python<'_>, #[pyo3(from_py_with = methods::text)] text: &str) -> PyResult<Self> {
        text.parse().map(Self).map_err(|error: vitalwire::Error| errors::raise(py, error.with_argument("text")))
    }

    #[doc = docs!(ResumeToken.operation)]
    #[getter]
    fn operation(&self) -> &str {
        self.0.operation()
    }

    #[doc = docs!(ResumeToken.parts_left)]
    #[getter]
    fn parts_left(&self) -> u32 {
        self.0.parts_left()
    }

    #[doc = docs!(ResumeToken.range)]
    #[getter]
    fn range<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        self.0.range().map(|range| bounds(py, range)).transpose()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    /// Returns a text without dates.
    fn __repr__(&self) -> String {
        format!("ResumeToken(operation='{}', parts_left={})", self.0.operation(), self.0.parts_left())
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.0 == other.0
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.0.to_string().hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((py.get_type::<Self>().getattr("parse")?, (self.0.to_string(),)))
    }
}
