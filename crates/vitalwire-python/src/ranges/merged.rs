//! Merged ranges.

use pyo3::exceptions::PyRuntimeWarning;
use pyo3::prelude::*;
use pyo3::types::{PySlice, PyTuple};
use pyo3::{PyTraverseError, PyVisit};
use vitalwire::Error;
use vitalwire::range::{AnyMerged, AnyPart, MergedPart as CorePart};
use vitalwire::table::Table as CoreTable;

use super::ObjectFactory;
use super::part;
use super::token::{ResumeToken, bounds};
use crate::errors;
use crate::generated::docs;
use crate::getters::getters;
use crate::table::{Table, TableRequest, TableResponse, table_id, table_methods};
use crate::{html, response};

/// Default table of nights.
const SLEEPS: &str = "sleeps";

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

    /// Emits a warning if parts are missing, which a table does not show.
    pub(super) fn warn_failed(&self, py: Python<'_>) -> PyResult<()> {
        let failed = self.failures.bind(py).len();
        if failed == 0 {
            return Ok(());
        }
        let parts = if failed == 1 { "1 part" } else { &format!("{failed} parts") };
        let text = std::ffi::CString::new(format!("{parts} of the range failed; `failures` of collect() and collect_table() has them"))?;
        PyErr::warn(py, &py.get_type::<PyRuntimeWarning>(), &text, 1)
    }
}

impl TableResponse for MergedRange {
    fn create_table(&self, py: Python<'_>, request: TableRequest<'_>) -> PyResult<Table> {
        self.warn_failed(py)?;
        let response = self.response.bind(py);
        if let Ok(table) = response.cast::<Table>() {
            let found = table.get().if_named(request.name);
            return found
                .ok_or_else(|| errors::raise(py, Error::invalid_argument(request.argument, "must be the table that was collected")));
        }
        match response.cast::<PyTuple>() {
            Ok(nights) => night_table(nights, request.name.unwrap_or(SLEEPS)),
            Err(_) => Ok(response.call_method1("table", (request.name,))?.cast::<Table>()?.get().share()),
        }
    }
}

table_methods!(MergedRange);

/// Joins the tables of nights.
fn night_table(nights: &Bound<'_, PyTuple>, name: &str) -> PyResult<Table> {
    let py = nights.py();
    let mut whole: Option<Table> = None;
    for night in nights {
        let next = night.getattr("sleep")?.call_method1("table", (name,))?;
        let next = next.cast::<Table>()?.get();
        whole = Some(match whole {
            Some(whole) => whole.append(py, next)?,
            None => next.share(),
        });
    }
    whole.map_or_else(|| table_id(py, name).map(|id| Table::new(CoreTable::empty(id))), Ok)
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

    #[doc = docs!(MergedRange.merge)]
    fn merge<'py>(&self, py: Python<'py>, later: &Bound<'py, Self>) -> PyResult<Self> {
        let later = later.get();
        let with_index = |failure: Bound<'py, PyAny>| Ok((failure.getattr("index")?.extract::<u32>()?, failure));
        let with_indexes = |range: &Self| range.failures.bind(py).iter().map(with_index).collect::<PyResult<Vec<_>>>();
        let merged = self.merged.merge_with(&later.merged, [with_indexes(self)?, with_indexes(later)?], |failure| failure.0);
        let (merged, failures) = merged.map_err(|error| errors::raise(py, error))?;
        Self::new(py, merged, PyTuple::new(py, failures.into_iter().map(|(_, failure)| failure))?)
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
