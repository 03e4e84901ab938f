//! Pickles of records, as JSON text.

use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use vitalwire::Error;
use vitalwire::value::{Model, NumberBasis};

use crate::view::{self, Record, View};
use crate::{arguments, convert, errors};

/// Returns the function that restores a record, and its arguments. Response metadata is lost.
pub(crate) fn reduce<'py, T: Model>(py: Python<'py>, record: &T) -> PyResult<Bound<'py, PyTuple>> {
    reduce_serialized(py, T::NAME, record.to_json(), record.basis().map(NumberBasis::as_str))
}

/// Returns the same as [`reduce`], for a record that is already serialized.
pub(crate) fn reduce_serialized<'py>(
    py: Python<'py>,
    name: &'static str,
    json: Result<String, Error>,
    basis: Option<&'static str>,
) -> PyResult<Bound<'py, PyTuple>> {
    let json = json.map_err(|error| errors::raise(py, error))?;
    let restore = py.import("vitalwire._native")?.getattr("_restore")?;
    (restore, (name, json, basis)).into_pyobject(py)
}

/// Restores a record from its JSON.
pub(crate) fn record<V: Record>(py: Python<'_>, json: &[u8], basis: Option<NumberBasis>) -> PyResult<Py<PyAny>>
where
    V::Core: Model,
{
    Ok(view::object::<V>(py, read(py, json, basis)?)?.into_any())
}

/// Reads a record from JSON that the caller has, such as a stored response.
pub(crate) fn from_json<V: Record>(json: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>>
where
    V::Core: Model,
{
    let py = json.py();
    if json.is_instance_of::<PyString>() {
        return record::<V>(py, arguments::extract::<&str>(json, "json")?.as_bytes(), None);
    }
    record::<V>(py, convert::as_bytes("json", json)?.as_bytes(), None)
}

/// Restores a map from its JSON. `pick` returns the trait object through which the Python class reads the map.
pub(crate) fn map<T: Model, V: Record>(
    py: Python<'_>,
    json: &[u8],
    basis: Option<NumberBasis>,
    pick: fn(&T) -> &V::Core,
) -> PyResult<Py<PyAny>> {
    let view = read::<T>(py, json, basis)?.narrow(|map| Some(pick(map)));
    let view = view.ok_or_else(|| errors::raise(py, Error::internal("a map cannot be read from its record")))?;
    Ok(view::object::<V>(py, view)?.into_any())
}

fn read<T: Model>(py: Python<'_>, json: &[u8], basis: Option<NumberBasis>) -> PyResult<View<T>> {
    let mut record = T::from_json(json).map_err(|error| errors::raise(py, error))?;
    if let Some(basis) = basis {
        record.set_basis(basis);
    }
    Ok(View::new(record, None))
}
