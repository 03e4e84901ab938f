//! Arguments: their names in what is raised where one is refused, and those that take more than one type.

use std::path::PathBuf;

use pyo3::exceptions::{PyOverflowError, PyTypeError, PyUnicodeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDelta, PyMapping, PyMemoryView, PyString};
use vitalwire::Error;

use crate::errors;

/// A function for each name of an argument, for `from_py_with`: pyo3 itself says in a note only which argument it was, and on Python
/// 3.10 nowhere.
macro_rules! named {
    ($($name:ident)*) => {
        $(
            pub(crate) fn $name<'a, 'py, T: pyo3::FromPyObject<'a, 'py>>(
                object: &'a pyo3::Bound<'py, pyo3::PyAny>,
            ) -> pyo3::PyResult<T> {
                $crate::given::extract(object, stringify!($name))
            }
        )*
    };
}
pub(crate) use named;

/// What tokens are made of, by its names.
pub(crate) mod token {
    super::named! { text expires_at }
}

/// The arguments of methods and functions that are not generated, by their names.
pub(crate) mod methods {
    super::named! {
        name operation table dtype_backend lists time_unit unit url_or_query expected_state class_name json basis items stream skipped text
        folder user_id kind
    }
}

/// An argument of a type; what is raised otherwise names it. No value is quoted: what Python says of text that is no Unicode, or of a
/// number that is out of range, could.
pub(crate) fn extract<'a, 'py, T: FromPyObject<'a, 'py>>(object: &'a Bound<'py, PyAny>, name: &'static str) -> PyResult<T> {
    object.extract().map_err(|raised: T::Error| {
        let (py, raised): (_, PyErr) = (object.py(), raised.into());
        if raised.is_instance_of::<PyOverflowError>(py) {
            errors::raise(py, Error::invalid_argument(name, "out of range"))
        } else if raised.is_instance_of::<PyUnicodeError>(py) {
            errors::raise(py, Error::invalid_argument(name, "not Unicode text"))
        } else if raised.get_type(py).is(py.get_type::<PyTypeError>()) {
            PyTypeError::new_err(format!("argument '{name}': {}", raised.value(py)))
        } else {
            raised
        }
    })
}

/// The key of a lookup; `None` where it is text that is no Unicode, which nothing has as its name.
pub(crate) fn key<'a>(object: &'a Bound<'_, PyAny>) -> PyResult<Option<&'a str>> {
    let text = object.cast::<PyString>().map_err(|_| PyTypeError::new_err("argument 'name': a str is needed"))?;
    Ok(text.to_str().ok())
}

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

/// Several texts: a list or another sequence of `str`. One `str` is a sequence of such too, and never meant.
pub(crate) struct Texts(pub(crate) Vec<String>);

impl FromPyObject<'_, '_> for Texts {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        if object.is_instance_of::<PyString>() {
            return Err(PyTypeError::new_err("a list of str is needed, not a str"));
        }
        object.extract().map(Self)
    }
}

/// Names with values: a mapping, or pairs where a name comes more than once.
pub(crate) struct Pairs(pub(crate) Vec<(String, String)>);

impl FromPyObject<'_, '_> for Pairs {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        let pairs = match object.cast::<PyMapping>() {
            Ok(mapping) => mapping.items()?.into_any(),
            Err(_) => object.to_owned(),
        };
        // What Python says of a pair could quote it.
        let refused = || PyTypeError::new_err("a mapping of str to str, or pairs of such, is needed");
        pairs.extract().map(Self).map_err(
            |raised: PyErr| {
                if raised.is_instance_of::<PyUnicodeError>(object.py()) { raised } else { refused() }
            },
        )
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
            return match text.to_str() {
                Ok(text) if text.contains("-----BEGIN") => Ok(Self::Pem(text.as_bytes().to_vec())),
                // Names of files may be no Unicode.
                _ => object.extract().map(Self::Path),
            };
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
