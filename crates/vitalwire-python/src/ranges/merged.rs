//! Merged ranges.

use pyo3::prelude::*;
use pyo3::types::{PySlice, PyTuple};
use pyo3::{PyTraverseError, PyVisit};
use vitalwire::range::{AnyMerged, AnyPart, MergedPart as CorePart};

use super::ObjectFactory;
use super::part;
use super::token::{ResumeToken, bounds};
use crate::errors;
use crate::generated::docs;
use crate::getters::getters;
use crate::{html, response};

/// Merged range of the core.
pub(super) type CoreMerged = AnyMerged<ObjectFactory>;

/// Creates a `MergedRange`.
pub(super) fn merged_object(py: Python<'_>, mut merged: CoreMerged) -> PyResult<Py<PyAny>> {
    let failures = merged.take_failures().into_iter().map(|failure| part::part_object(py, AnyPart::failed(failure)));
    let failures = PyTuple::new(py, failures.collect::<PyResult<Vec<_>>>()?)?;
    Ok(Py::new(py, MergedRange::new(py, merged, failures)?)?.into_any())
}

#[doc = docs!(MergedRange)]
#[pyclass(frozen, generic, module = "vitalwire")]
pub(crate) struct MergedRange {
    #[doc = docs!(MergedRange.response)]
    #[pyo3(get)]
    pub(super) response: Py<PyAny>,
    #[doc = docs!(MergedRange.parts)]
    #[pyo3(get)]
    parts: Py<PyTuple>,
    #[doc = docs!(MergedRange.failures)]
    #[pyo3(get)]
    pub(super) failures: Py<PyTuple>,
    merged: CoreMerged,
}

impl MergedRange {
    fn new(py: Python<'_>, merged: CoreMerged, failures: Bound<'_, PyTuple>) -> PyResult<Self> {
        let parts = merged.parts().iter().map(|part| MergedPart::new(py, part)).collect::<PyResult<Vec<_>>>()?;
        Ok(Self { response: merged.response()(py)?, parts: PyTuple::new(py, parts)?.unbind(), failures: failures.unbind(), merged })
    }
}

getters!(MergedRange, self {
    resume_token: Option<ResumeToken> = self.merged.resume_token().cloned().map(ResumeToken),
    duplicates: usize = self.merged.duplicates(),
    not_found: usize = self.merged.not_found(),
    skipped_count: u64 = self.merged.skipped_items().count(),
});

#[pymethods]
impl MergedRange {
    #[doc = docs!(MergedRange.skipped_items)]
    #[getter]
    fn skipped_items<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        response::skipped_tuple(py, self.merged.skipped_items().as_slice())
    }

    #[doc = docs!(MergedRange.join)]
    fn join(&self, py: Python<'_>, later: &Bound<'_, Self>) -> PyResult<Self> {
        let merged = self.merged.join(&later.get().merged).map_err(|error| errors::raise(py, error))?;
        let failures = [&self.failures, &later.get().failures].map(|failures| failures.bind(py).iter());
        let mut left = Vec::new();
        for failure in failures.into_iter().flatten() {
            if !merged.contains_part(failure.getattr("index")?.extract()?) {
                left.push(failure);
            }
        }
        Self::new(py, merged, PyTuple::new(py, left)?)
    }

    /// Returns a text with counts, but without values.
    fn __repr__(&self, py: Python<'_>) -> String {
        let (parts, failures) = (self.parts.bind(py).len(), self.failures.bind(py).len());
        format!("MergedRange(parts={parts}, duplicates={}, failures={failures})", self.duplicates())
    }

    /// Shows the response in a notebook, if it is shown as a table; otherwise counts.
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let counts = html::escape(&self.__repr__(py));
        Ok(match self.response.bind(py).getattr_opt("_repr_html_")? {
            Some(shown) => format!("<p>{counts}</p>{}", shown.call0()?.extract::<String>()?),
            None => format!("<p>{counts}</p>"),
        })
    }

    /// Visits the errors of failed parts for the garbage collector.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.failures)
    }
}

#[doc = docs!(MergedPart)]
#[pyclass(frozen, generic, module = "vitalwire")]
pub(crate) struct MergedPart {
    #[doc = docs!(MergedPart.index)]
    #[pyo3(get)]
    index: u32,
    #[doc = docs!(MergedPart.range)]
    #[pyo3(get)]
    range: Option<Py<PyTuple>>,
    #[doc = docs!(MergedPart.rows)]
    #[pyo3(get)]
    rows: Py<PySlice>,
}

impl MergedPart {
    fn new(py: Python<'_>, part: &CorePart) -> PyResult<Py<Self>> {
        let place = |row: usize| isize::try_from(row).unwrap_or(isize::MAX);
        // Calls Python's `slice`, because a slice created by pyo3 would have a step.
        let rows = py.get_type::<PySlice>().call1((place(part.rows.start), place(part.rows.end)))?.cast_into::<PySlice>()?.unbind();
        let range = part.range.map(|range| bounds(py, range).map(Bound::unbind)).transpose()?;
        Py::new(py, Self { index: part.index, range, rows })
    }
}

#[pymethods]
impl MergedPart {
    /// Returns a text without bounds.
    fn __repr__(&self) -> String {
        format!("MergedPart(index={}, rows=slice(...))", self.index)
    }
}
