//! Functions that restore pickled records and lists.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};
use vitalwire::value::NumberBasis;
use vitalwire::{Error, ErrorKind};

use crate::arguments::methods;
use crate::client::{AsyncClient, Client};
use crate::generated::list_kind;
use crate::generated::restore::restore;
use crate::records::Records;
use crate::{errors, table};

/// Restores a pickled record. Pickles are untrusted: the text is decoded like a response.
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
        Some(name) => {
            Some(NumberBasis::from_text(utf8(&name)?).ok_or_else(|| refused("pickled by an incompatible version: unknown basis"))?)
        }
        None => None,
    };
    let made = restore(py, utf8(&class_name)?, utf8(&json)?.as_bytes(), basis)?;
    made.ok_or_else(|| refused("pickled by an incompatible version: unknown record"))
}

/// Restores a pickled client from its settings, or from environment variables.
#[pyfunction]
pub(crate) fn _restore_client<'py>(
    py: Python<'py>,
    #[pyo3(from_py_with = methods::class_name)] class_name: &str,
    settings: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let class = match class_name {
        "Client" => py.get_type::<Client>(),
        "AsyncClient" => py.get_type::<AsyncClient>(),
        _ => return Err(errors::raise(py, Error::with_reason(ErrorKind::Decode, "pickled by an incompatible version: unknown client"))),
    };
    match settings {
        Some(settings) => class.call((), Some(settings)),
        None => class.call_method0("from_env"),
    }
}

/// Encodes a string as UTF-8. Rejects unpaired surrogates.
fn utf8<'a>(text: &'a Bound<'_, PyString>) -> PyResult<&'a str> {
    text.to_str().map_err(|_| errors::raise(text.py(), Error::with_reason(ErrorKind::Decode, "must be valid UTF-8")))
}

/// Restores a pickled list.
#[pyfunction]
pub(crate) fn _restore_records(
    py: Python<'_>,
    #[pyo3(from_py_with = methods::class_name)] class_name: &str,
    #[pyo3(from_py_with = methods::items)] items: Bound<'_, PyTuple>,
) -> PyResult<Records> {
    let refused = || errors::raise(py, Error::invalid_argument("items", "were pickled by an incompatible version"));
    let kind = list_kind(class_name).ok_or_else(refused)?;
    Records::restore(items, kind)
}

/// Adds the functions to the module, but not to `__all__`.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.setattr("_restore", wrap_pyfunction!(restore_record, module)?)?;
    module.setattr("_restore_client", wrap_pyfunction!(_restore_client, module)?)?;
    module.setattr("_restore_records", wrap_pyfunction!(_restore_records, module)?)?;
    module.setattr("_restore_table", wrap_pyfunction!(table::_restore_table, module)?)
}
