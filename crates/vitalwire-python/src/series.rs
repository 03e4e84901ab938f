//! Objects of series as a read-only mapping from name to buffer.

use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyIterator, PyTuple};
use vitalwire::value::{Extra, OpenSet, SeriesMap as CoreMap};

use crate::convert;
use crate::numbers::abstract_view;
use crate::view::{Record, View};

/// What is read of a core map, whatever names it has.
pub(crate) trait Series: Send + Sync {
    /// Names and series.
    fn pairs(&self) -> Vec<(&str, &[f64])>;
    /// How many there are.
    fn count(&self) -> usize;
    /// Members that are no series.
    fn others(&self) -> &Extra;
}

impl<K: OpenSet> Series for CoreMap<K> {
    fn pairs(&self) -> Vec<(&str, &[f64])> {
        self.iter().collect()
    }

    fn count(&self) -> usize {
        self.len()
    }

    fn others(&self) -> &Extra {
        self.extra()
    }
}

/// Series of numbers by name, read-only. Each is a `memoryview` of doubles, which numpy and others take without a copy.
#[pyclass(frozen, mapping, module = "vitalwire")]
pub(crate) struct SeriesMap {
    view: View<dyn Series>,
    /// One buffer for each series, made when it is first read.
    buffers: Vec<PyOnceLock<Py<PyBytes>>>,
}

impl Record for SeriesMap {
    type Core = dyn Series;

    fn over(view: View<dyn Series>) -> Self {
        let buffers = std::iter::repeat_with(PyOnceLock::new).take(view.get().count()).collect();
        Self { view, buffers }
    }
}

impl SeriesMap {
    fn read<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let pairs = self.view.get().pairs();
        let found = pairs.iter().zip(&self.buffers).find(|((text, _), _)| *text == name);
        let Some(((_, numbers), slot)) = found else { return Ok(None) };
        convert::series(py, slot, Some(numbers))
    }
}

#[pymethods]
impl SeriesMap {
    fn __len__(&self) -> usize {
        self.view.get().count()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        self.read(py, name)?.ok_or_else(|| PyKeyError::new_err(name.to_owned()))
    }

    fn __contains__(&self, name: &Bound<'_, PyAny>) -> bool {
        name.extract::<&str>().is_ok_and(|name| self.view.get().pairs().iter().any(|(text, _)| *text == name))
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        PyTuple::new(py, self.view.get().pairs().into_iter().map(|(name, _)| name).collect::<Vec<_>>())?.try_iter()
    }

    /// The series under a name, or the default.
    #[pyo3(signature = (name, default=None, /))]
    fn get<'py>(&self, py: Python<'py>, name: &str, default: Option<Bound<'py, PyAny>>) -> PyResult<Option<Bound<'py, PyAny>>> {
        Ok(self.read(py, name)?.or(default))
    }

    /// The names.
    fn keys<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        abstract_view(slf.as_any(), "KeysView")
    }

    /// The series.
    fn values<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        abstract_view(slf.as_any(), "ValuesView")
    }

    /// Pairs of name and series.
    fn items<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        abstract_view(slf.as_any(), "ItemsView")
    }

    /// Members whose value is no array, as a new `dict`.
    #[getter]
    fn extra<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        convert::extra(py, self.view.get().others())
    }

    /// A new `dict` of lists of numbers, and of what is in `extra`.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = self.extra(py)?;
        for (name, numbers) in self.view.get().pairs() {
            dict.set_item(name, numbers.to_vec())?;
        }
        Ok(dict)
    }

    fn __repr__(&self) -> String {
        format!("SeriesMap({} series)", self.view.get().count())
    }
}
