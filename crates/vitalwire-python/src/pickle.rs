//! Records kept as JSON text: what `pickle` writes and reads.

use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use vitalwire::value::{Basis, Model};
use vitalwire::{Error, ErrorKind};

use crate::errors;
use crate::generated::restore;
use crate::given::methods;
use crate::numbers::{NumberMap, Numbers};
use crate::series::{Series, SeriesMap};
use crate::view::{self, Record, View};

/// How a record is made again: the function and its arguments. What is known of its answer is not kept.
pub(crate) fn reduce<'py, T: Model>(py: Python<'py>, record: &T) -> PyResult<Bound<'py, PyTuple>> {
    parts(py, T::NAME, record.to_json(), record.basis().map(Basis::as_str))
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

/// A record that was pickled. The text may come from anywhere: it is read by the rules that hold for answers.
#[pyfunction]
#[pyo3(name = "_restore", signature = (class_name, json, basis=None, /))]
pub(crate) fn restore_record(
    py: Python<'_>,
    #[pyo3(from_py_with = methods::class_name)] class_name: Bound<'_, PyString>,
    #[pyo3(from_py_with = methods::json)] json: Bound<'_, PyString>,
    #[pyo3(from_py_with = methods::basis)] basis: Option<Bound<'_, PyString>>,
) -> PyResult<Py<PyAny>> {
    let refused = |reason| errors::raise(py, Error::with_reason(ErrorKind::Decode, reason));
    let basis = match basis {
        Some(name) => Some(Basis::from_text(utf8(&name)?).ok_or_else(|| refused("no basis of numbers"))?),
        None => None,
    };
    let made = restore::restore(py, utf8(&class_name)?, utf8(&json)?.as_bytes(), basis)?;
    made.ok_or_else(|| refused("no record of this version"))
}

/// Half a surrogate pair has no place in UTF-8.
fn utf8<'a>(text: &'a Bound<'_, PyString>) -> PyResult<&'a str> {
    text.to_str().map_err(|_| errors::raise(text.py(), Error::with_reason(ErrorKind::Decode, "not UTF-8")))
}

/// A record.
pub(crate) fn record<V: Record>(py: Python<'_>, json: &[u8], basis: Option<Basis>) -> PyResult<Py<PyAny>>
where
    V::Core: Model,
{
    Ok(view::object::<V>(py, read(py, json, basis)?)?.into_any())
}

/// A map of numbers.
pub(crate) fn numbers<T: Model + Numbers>(py: Python<'_>, json: &[u8], basis: Option<Basis>) -> PyResult<Py<PyAny>> {
    let whole = read::<T>(py, json, basis)?;
    whole.narrow(|map| Some(map as &dyn Numbers)).map(NumberMap::over).into_py_any(py)
}

/// A map of series.
pub(crate) fn series<T: Model + Series>(py: Python<'_>, json: &[u8], basis: Option<Basis>) -> PyResult<Py<PyAny>> {
    let whole = read::<T>(py, json, basis)?;
    whole.narrow(|map| Some(map as &dyn Series)).map(SeriesMap::over).into_py_any(py)
}

fn read<T: Model>(py: Python<'_>, json: &[u8], basis: Option<Basis>) -> PyResult<View<T>> {
    let mut record = T::from_json(json).map_err(|error| errors::raise(py, error))?;
    if let Some(basis) = basis {
        record.set_basis(basis);
    }
    Ok(View::of(record, None))
}
