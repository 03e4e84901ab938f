//! Wide objects of numbers as a read-only mapping.

use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator, PyTuple};
use vitalwire::value::{Extra, NumberMap as CoreMap, OpenSet, WithBasis};

use crate::convert;
use crate::view::{Record, View};

/// What is read of a core map, whatever names it has.
pub(crate) trait Numbers: Send + Sync {
    /// The number under a name.
    fn number(&self, name: &str) -> Option<f64>;
    /// Names and numbers.
    fn pairs(&self) -> Vec<(&str, f64)>;
    /// How many there are.
    fn count(&self) -> usize;
    /// Members that are no numbers.
    fn others(&self) -> &Extra;
    /// What the numbers refer to, where that depends on the call.
    fn basis(&self) -> Option<&'static str>;
}

impl<K: OpenSet> Numbers for CoreMap<K> {
    fn number(&self, name: &str) -> Option<f64> {
        self.get_text(name)
    }

    fn pairs(&self) -> Vec<(&str, f64)> {
        self.iter().collect()
    }

    fn count(&self) -> usize {
        self.len()
    }

    fn others(&self) -> &Extra {
        self.extra()
    }

    fn basis(&self) -> Option<&'static str> {
        None
    }
}

impl<K: OpenSet> Numbers for WithBasis<CoreMap<K>> {
    fn number(&self, name: &str) -> Option<f64> {
        self.get_text(name)
    }

    fn pairs(&self) -> Vec<(&str, f64)> {
        self.iter().collect()
    }

    fn count(&self) -> usize {
        self.len()
    }

    fn others(&self) -> &Extra {
        self.extra()
    }

    fn basis(&self) -> Option<&'static str> {
        Some(WithBasis::basis(self).as_str())
    }
}

/// Numbers by name, read-only: metrics, statistics, nutritional fields. Only the names that the answer had are in it.
#[pyclass(frozen, mapping, module = "vitalwire")]
pub(crate) struct NumberMap {
    view: View<dyn Numbers>,
}

impl Record for NumberMap {
    type Core = dyn Numbers;

    fn over(view: View<dyn Numbers>) -> Self {
        Self { view }
    }
}

#[pymethods]
impl NumberMap {
    fn __len__(&self) -> usize {
        self.view.get().count()
    }

    fn __getitem__(&self, name: &str) -> PyResult<f64> {
        self.view.get().number(name).ok_or_else(|| PyKeyError::new_err(name.to_owned()))
    }

    fn __contains__(&self, name: &Bound<'_, PyAny>) -> bool {
        name.extract::<&str>().is_ok_and(|name| self.view.get().number(name).is_some())
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        PyTuple::new(py, self.view.get().pairs().into_iter().map(|(name, _)| name).collect::<Vec<_>>())?.try_iter()
    }

    /// The number under a name, or the default.
    #[pyo3(signature = (name, default=None, /))]
    fn get<'py>(&self, py: Python<'py>, name: &str, default: Option<Bound<'py, PyAny>>) -> PyResult<Option<Bound<'py, PyAny>>> {
        match self.view.get().number(name) {
            Some(number) => Ok(Some(number.into_pyobject(py)?.into_any())),
            None => Ok(default),
        }
    }

    /// The names.
    fn keys<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        abstract_view(slf.as_any(), "KeysView")
    }

    /// The numbers.
    fn values<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        abstract_view(slf.as_any(), "ValuesView")
    }

    /// Pairs of name and number.
    fn items<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        abstract_view(slf.as_any(), "ItemsView")
    }

    /// What the numbers refer to: `per_serving`, `per_100` or `unknown`; `None` where they need no basis.
    #[getter]
    fn basis(&self) -> Option<&'static str> {
        self.view.get().basis()
    }

    /// Members whose value is no number, as a new `dict`.
    #[getter]
    fn extra<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        convert::extra(py, self.view.get().others())
    }

    /// A new `dict` of the numbers and of what is in `extra`.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = self.extra(py)?;
        for (name, number) in self.view.get().pairs() {
            dict.set_item(name, number)?;
        }
        Ok(dict)
    }

    fn __repr__(&self) -> String {
        format!("NumberMap({} numbers)", self.view.get().count())
    }
}

/// A view as `dict` has one, from `collections.abc`.
pub(crate) fn abstract_view<'py>(mapping: &Bound<'py, PyAny>, class: &str) -> PyResult<Bound<'py, PyAny>> {
    mapping.py().import("collections.abc")?.getattr(class)?.call1((mapping,))
}
