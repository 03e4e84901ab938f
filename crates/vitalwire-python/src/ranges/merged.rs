//! The parts of a range as one.

use pyo3::prelude::*;
use pyo3::types::{PySlice, PyTuple};
use pyo3::{PyTraverseError, PyVisit};
use vitalwire::range::{MergedPart as CorePart, PartFailure, RangeOperation, ResumeToken as Token};
use vitalwire::table::Table as CoreTable;

use super::source::{AsMoment, Moment, Object, Piece, bounds, moments};
use super::token::ResumeToken;
use crate::generated::docs;
use crate::table::Table;

/// What is known of merged parts beside their answer.
pub(super) struct Pieces {
    parts: Vec<(u32, Option<[Moment; 2]>, std::ops::Range<usize>)>,
    duplicates: usize,
    skipped: usize,
    left: Option<Token>,
}

impl Pieces {
    pub(super) fn of<R: vitalwire::range::Range<Bound: AsMoment>>(
        parts: &[CorePart<R>],
        duplicates: usize,
        skipped: usize,
        left: Option<&Token>,
    ) -> Self {
        let parts = parts.iter().map(|part| (part.index, part.range.map(moments), part.rows.clone())).collect();
        Self { parts, duplicates, skipped, left: left.cloned() }
    }
}

/// A `Merged` that is yet to be made.
pub(super) fn object<O>(answer: Object, pieces: Pieces, failures: Vec<PartFailure<O>>) -> Object
where
    O: RangeOperation,
    <O::Range as vitalwire::range::Range>::Bound: AsMoment,
{
    let failed: Vec<Piece> = failures.into_iter().map(Piece::failed).collect();
    Box::new(move |py| {
        let parts = pieces.parts.into_iter().map(|(index, range, rows)| MergedPart::of(py, index, range, &rows));
        let failures = failed.into_iter().map(|piece| piece.object(py));
        let merged = Merged {
            answer: answer(py)?,
            parts: PyTuple::new(py, parts.collect::<PyResult<Vec<_>>>()?)?.unbind(),
            duplicates: pieces.duplicates,
            skipped: pieces.skipped,
            failures: PyTuple::new(py, failures.collect::<PyResult<Vec<_>>>()?)?.unbind(),
            left: pieces.left,
        };
        Ok(Py::new(py, merged)?.into_any())
    })
}

/// A table.
pub(super) fn table(py: Python<'_>, table: CoreTable) -> PyResult<Py<PyAny>> {
    Ok(Py::new(py, Table::of(table))?.into_any())
}

#[doc = docs!(Merged)]
#[pyclass(frozen, generic, module = "vitalwire")]
pub(crate) struct Merged {
    #[doc = docs!(Merged.answer)]
    #[pyo3(get)]
    pub(super) answer: Py<PyAny>,
    #[doc = docs!(Merged.parts)]
    #[pyo3(get)]
    parts: Py<PyTuple>,
    #[doc = docs!(Merged.duplicates)]
    #[pyo3(get)]
    duplicates: usize,
    #[doc = docs!(Merged.skipped)]
    #[pyo3(get)]
    skipped: usize,
    #[doc = docs!(Merged.failures)]
    #[pyo3(get)]
    pub(super) failures: Py<PyTuple>,
    left: Option<Token>,
}

#[pymethods]
impl Merged {
    #[doc = docs!(Merged.resume_token)]
    #[getter]
    fn resume_token(&self) -> Option<ResumeToken> {
        self.left.clone().map(ResumeToken)
    }

    /// Shows how much there is, no values.
    fn __repr__(&self, py: Python<'_>) -> String {
        let (parts, failures) = (self.parts.bind(py).len(), self.failures.bind(py).len());
        format!("Merged(parts={parts}, duplicates={}, failures={failures})", self.duplicates)
    }

    /// As of a part: the failed ones have errors.
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
    range: Option<Py<PyTuple>>,
    #[doc = docs!(MergedPart.rows)]
    #[pyo3(get)]
    rows: Py<PySlice>,
}

impl MergedPart {
    fn of(py: Python<'_>, index: u32, range: Option<[Moment; 2]>, rows: &std::ops::Range<usize>) -> PyResult<Py<Self>> {
        let place = |row: usize| isize::try_from(row).unwrap_or(isize::MAX);
        // By Python's own class: a native slice would have a step, which nobody expects to read.
        let rows = py.get_type::<PySlice>().call1((place(rows.start), place(rows.end)))?.cast_into::<PySlice>()?.unbind();
        let range = range.map(|range| bounds(py, range).map(Bound::unbind)).transpose()?;
        Py::new(py, Self { index, range, rows })
    }
}

#[pymethods]
impl MergedPart {
    #[doc = docs!(MergedPart.range)]
    #[getter]
    fn range(&self, py: Python<'_>) -> Option<Py<PyTuple>> {
        self.range.as_ref().map(|range| range.clone_ref(py))
    }

    /// Shows no bounds.
    fn __repr__(&self) -> String {
        format!("MergedPart(index={}, rows=slice(...))", self.index)
    }
}
