//! Arguments that take more than one type.

use std::path::PathBuf;

use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDelta, PyMemoryView, PyString};

/// Seconds, as a number or a `timedelta`.
#[derive(Clone, Copy)]
pub(crate) struct Seconds(pub(crate) f64);

impl FromPyObject<'_, '_> for Seconds {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        if object.is_instance_of::<PyDelta>() {
            return object.call_method0("total_seconds")?.extract().map(Self);
        }
        if object.is_instance_of::<PyBool>() {
            return Err(PyTypeError::new_err("seconds or a timedelta are needed, not a bool"));
        }
        match object.extract() {
            Ok(seconds) => Ok(Self(seconds)),
            // What is beyond all doubles is refused as a value, not as a type.
            Err(raised) if raised.is_instance_of::<PyOverflowError>(object.py()) => Ok(Self(f64::INFINITY)),
            Err(_) => Err(PyTypeError::new_err("seconds or a timedelta are needed")),
        }
    }
}

/// A whole number that counts something.
#[derive(Clone, Copy)]
pub(crate) struct Count(pub(crate) i64);

impl FromPyObject<'_, '_> for Count {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        if object.is_instance_of::<PyBool>() {
            return Err(PyTypeError::new_err("a whole number is needed, not a bool"));
        }
        match object.extract() {
            Ok(count) => Ok(Self(count)),
            // No count is as large; what is below 0 is refused as a value.
            Err(raised) if raised.is_instance_of::<PyOverflowError>(object.py()) => Ok(Self(-1)),
            Err(_) => Err(PyTypeError::new_err("a whole number is needed")),
        }
    }
}

/// Certificates: PEM, or where a file of them is.
#[derive(Clone)]
pub(crate) enum Certificates {
    Pem(Vec<u8>),
    Path(PathBuf),
}

impl FromPyObject<'_, '_> for Certificates {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        if let Ok(text) = object.cast::<PyString>() {
            let text = text.to_str()?;
            if text.contains("-----BEGIN") {
                return Ok(Self::Pem(text.as_bytes().to_vec()));
            }
        }
        if let Ok(bytes) = object.cast::<PyBytes>() {
            return Ok(Self::Pem(bytes.as_bytes().to_vec()));
        }
        if let Ok(path) = object.extract() {
            return Ok(Self::Path(path));
        }
        let refused = || PyTypeError::new_err("PEM as bytes or text, or the path of a file of it, is needed");
        let copy = PyMemoryView::from(&object).map_err(|_| refused())?.call_method0("tobytes")?;
        Ok(Self::Pem(copy.cast::<PyBytes>()?.as_bytes().to_vec()))
    }
}
