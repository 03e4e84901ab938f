//! Series maps as read-only mappings from names to buffers.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use std::hash::DefaultHasher;

use crate::generated::docs;
use crate::html::Card;
use crate::mapping::mapping;
use crate::maps::Series;
use crate::view::{Record, View};
use crate::{arguments, convert, hash, pickle};

#[doc = docs!(SeriesMap)]
#[pyclass(frozen, mapping, module = "vitalwire")]
pub(crate) struct SeriesMap {
    view: View<dyn Series>,
    /// Buffers of series, created on first read.
    buffers: Vec<PyOnceLock<Py<PyBytes>>>,
}

impl Record for SeriesMap {
    type Core = dyn Series;

    fn from_view(view: View<dyn Series>) -> Self {
        let buffers = std::iter::repeat_with(PyOnceLock::new).take(view.get().count()).collect();
        Self { view, buffers }
    }

    fn digest(core: &dyn Series, hasher: &mut DefaultHasher) {
        hash::pairs(core.pairs().into_iter().map(|(name, numbers)| (name, numbers.len())), hasher);
    }

    fn shape(core: &dyn Series) -> String {
        format!("SeriesMap({} series)", core.count())
    }

    fn card(core: &Self::Core) -> String {
        Card::new(Self::shape(core)).series(None, Some(core)).finish(core.extra_fields())
    }
}

/// Whether two maps have the same series in any order and the same other fields.
fn is_equal(one: &dyn Series, other: &dyn Series) -> bool {
    fn sorted(map: &dyn Series) -> Vec<(&str, &[f64])> {
        let mut pairs = map.pairs();
        pairs.sort_by(|one, other| one.0.cmp(other.0));
        pairs
    }
    one.extra_fields() == other.extra_fields() && sorted(one) == sorted(other)
}

impl SeriesMap {
    fn read<'py>(&self, name: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let (py, pairs) = (name.py(), self.view.get().pairs());
        let Some(name) = arguments::lookup_key(name)? else { return Ok(None) };
        let found = pairs.iter().zip(&self.buffers).find(|((text, _), _)| *text == name);
        let Some(((_, numbers), slot)) = found else { return Ok(None) };
        convert::series(py, slot, Some(numbers))
    }

    fn has(&self, name: &str) -> bool {
        self.view.get().pairs().iter().any(|(text, _)| *text == name)
    }
}

mapping!(SeriesMap);

#[pymethods]
impl SeriesMap {
    #[doc = docs!(SeriesMap.to_dict)]
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = self.extra(py)?;
        for (name, numbers) in self.view.get().pairs() {
            dict.set_item(name, numbers.to_vec())?;
        }
        Ok(dict)
    }

    fn __eq__(&self, other: &Self) -> bool {
        is_equal(self.view.get(), other.view.get())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let map = self.view.get();
        pickle::reduce_serialized(py, map.model(), map.json(), None)
    }
}
