//! Records kept as JSON text: what `pickle` keeps.

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use vitalwire::Error;
use vitalwire::value::{Model, NumberBasis};

use crate::errors;
use crate::view::{self, Record, View};

/// How a record is made again: the function and its arguments. What is known of its answer is not kept.
pub(crate) fn reduce<'py, T: Model>(py: Python<'py>, record: &T) -> PyResult<Bound<'py, PyTuple>> {
    parts(py, T::NAME, record.to_json(), record.basis().map(NumberBasis::as_str))
}

/// As [`reduce`], of what was written already.
pub(crate) fn parts<'py>(
    py: Python<'py>,
    name: &'static str,
    json: Result<String, Error>,
    basis: Option<&'static str>,
) -> PyResult<Bound<'py, PyTuple>> {
    let json = json.map_err(|error| errors::raise(py, error))?;
    let restore = py.import("vitalwire._native")?.getattr("_restore")?;
    (restore, (name, json, basis)).into_pyobject(py)
}

/// A record from its text.
pub(crate) fn record<V: Record>(py: Python<'_>, json: &[u8], basis: Option<NumberBasis>) -> PyResult<Py<PyAny>>
where
    V::Core: Model,
{
    Ok(view::object::<V>(py, read(py, json, basis)?)?.into_any())
}

/// A map from its text; `pick` says by which trait its class reads it.
pub(crate) fn map<T: Model, V: Record>(
    py: Python<'_>,
    json: &[u8],
    basis: Option<NumberBasis>,
    pick: fn(&T) -> &V::Core,
) -> PyResult<Py<PyAny>> {
    let view = read::<T>(py, json, basis)?.narrow(|map| Some(pick(map)));
    let view = view.ok_or_else(|| errors::raise(py, Error::internal("a map has no view")))?;
    Ok(view::object::<V>(py, view)?.into_any())
}

fn read<T: Model>(py: Python<'_>, json: &[u8], basis: Option<NumberBasis>) -> PyResult<View<T>> {
    let mut record = T::from_json(json).map_err(|error| errors::raise(py, error))?;
    if let Some(basis) = basis {
        record.set_basis(basis);
    }
    Ok(View::of(record, None))
}
