//! Number maps as read-only mappings.

use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyBool, PyDict, PyMapping, PyTuple};
use std::hash::DefaultHasher;

use crate::generated::docs;
use crate::html::Card;
use crate::mapping::mapping;
use crate::maps::Numbers;
use crate::view::{Record, View};
use crate::{arguments, hash, pickle};

#[doc = docs!(NumberMap)]
#[pyclass(frozen, mapping, module = "vitalwire")]
pub(crate) struct NumberMap {
    view: View<dyn Numbers>,
}

impl Record for NumberMap {
    type Core = dyn Numbers;

    fn from_view(view: View<dyn Numbers>) -> Self {
        Self { view }
    }

    fn digest(core: &dyn Numbers, hasher: &mut DefaultHasher) {
        // Adding 0.0 turns -0.0 into 0.0. The two are equal, so they need the same hash.
        hash::pairs(core.pairs().into_iter().map(|(name, number)| (name, (number + 0.0).to_bits())), hasher);
    }

    fn shape(core: &dyn Numbers) -> String {
        format!("NumberMap({} numbers)", core.count())
    }

    fn card(core: &Self::Core) -> String {
        Card::new(Self::shape(core)).numbers(None, Some(core)).finish(core.extra_fields())
    }
}

/// Whether two maps have the same numbers in any order, the same basis and the same other fields.
fn is_equal(one: &dyn Numbers, other: &dyn Numbers) -> bool {
    fn sorted(map: &dyn Numbers) -> Vec<(&str, f64)> {
        let mut pairs = map.pairs();
        pairs.sort_by(|one, other| one.0.cmp(other.0));
        pairs
    }
    one.basis() == other.basis() && one.extra_fields() == other.extra_fields() && sorted(one) == sorted(other)
}

impl NumberMap {
    fn read<'py>(&self, name: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let found = arguments::lookup_key(name)?.and_then(|name| self.view.get().number(name));
        found.map(|number| Ok(number.into_pyobject(name.py())?.into_any())).transpose()
    }

    fn has(&self, name: &str) -> bool {
        self.view.get().number(name).is_some()
    }
}

mapping!(NumberMap);

#[pymethods]
impl NumberMap {
    #[doc = docs!(NumberMap.basis)]
    #[getter]
    fn basis(&self) -> Option<&'static str> {
        self.view.get().basis()
    }

    #[doc = docs!(NumberMap.to_dict)]
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = self.extra(py)?;
        for (name, number) in self.view.get().pairs() {
            dict.set_item(name, number)?;
        }
        Ok(dict)
    }

    /// Compares numbers, `basis` and `extra` with another number map, and only numbers with other mappings.
    fn __eq__<'py>(&self, py: Python<'py>, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let map = self.view.get();
        let equal = if let Ok(other) = other.cast::<Self>() {
            is_equal(map, other.get().view.get())
        } else if other.cast::<PyMapping>().is_ok() {
            let theirs = py.get_type::<PyDict>().call1((other,))?;
            map.pairs().into_py_dict(py)?.eq(theirs)?
        } else {
            return Ok(py.NotImplemented().into_bound(py));
        };
        Ok(PyBool::new(py, equal).to_owned().into_any())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let map = self.view.get();
        pickle::reduce_serialized(py, map.model(), map.json(), map.basis())
    }
}
