//! Conversion of arguments: errors that name the argument, and arguments that accept several types.

use std::path::PathBuf;

use pyo3::exceptions::{PyOverflowError, PyTypeError, PyUnicodeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDelta, PyFloat, PyInt, PyMapping, PyMemoryView, PyString};
use vitalwire::Error;
use zeroize::Zeroizing;

use crate::{datetime_module, errors};

/// Defines a converter for each argument name, for `from_py_with`. Its errors name the argument in their text. pyo3 names it only in an
/// exception note, which Python 3.10 does not support.
macro_rules! argument_converters {
    ($($name:ident)*) => {
        $(
            pub(crate) fn $name<'a, 'py, T: pyo3::FromPyObject<'a, 'py>>(
                object: &'a pyo3::Bound<'py, pyo3::PyAny>,
            ) -> pyo3::PyResult<T> {
                $crate::arguments::extract(object, stringify!($name))
            }
        )*
    };
}
pub(crate) use argument_converters;

/// Converters for the arguments of `Token`.
pub(crate) mod token {
    super::argument_converters! { text expires_at }
}

/// Converters for the arguments of syncs.
pub(crate) mod sync {
    super::argument_converters! { user service_name check_account expect_account }
}

/// Converters for the arguments of hand-written methods and functions.
pub(crate) mod methods {
    super::argument_converters! {
        name operation table columns dtype_backend lists durations missing time_unit unit key units escape_formulas encoding url_or_query expected_state class_name json basis items stream skipped text
        folder user_id kind
    }
}

/// Converters for numbers.
pub(crate) mod numbers {
    macro_rules! number_converters {
        ($($name:ident)*) => {
            $(
                pub(crate) fn $name<T: super::Number>(object: &pyo3::Bound<'_, pyo3::PyAny>) -> pyo3::PyResult<T> {
                    T::convert(object, stringify!($name))
                }
            )*
        };
    }

    number_converters! {
        rows status tasks lookback_days users_per_item months_per_item in_flight added changed removed users failures not_listed
        removed_users done total count per_second delay look_back
    }
}

/// Converts an argument. Errors name the argument but quote no value, unlike Python's own errors about invalid Unicode or large numbers.
pub(crate) fn extract<'a, 'py, T: FromPyObject<'a, 'py>>(object: &'a Bound<'py, PyAny>, name: &'static str) -> PyResult<T> {
    if !is_plain(object) {
        datetime_module::import(object.py())?;
    }
    object.extract().map_err(|raised: T::Error| {
        let (py, raised): (_, PyErr) = (object.py(), raised.into());
        if raised.is_instance_of::<PyOverflowError>(py) {
            errors::raise(py, Error::invalid_argument(name, "must be within the supported range"))
        } else if raised.is_instance_of::<PyUnicodeError>(py) {
            errors::raise(py, Error::invalid_argument(name, "must be valid Unicode"))
        } else if raised.get_type(py).is(py.get_type::<PyTypeError>()) {
            PyTypeError::new_err(format!("argument '{name}': {}", raised.value(py)))
        } else {
            raised
        }
    })
}

/// Whether an argument is a text, a number or `None`. Other objects may be from `datetime`, which is imported on first use.
fn is_plain(object: &Bound<'_, PyAny>) -> bool {
    object.is_instance_of::<PyString>() || object.is_instance_of::<PyInt>() || object.is_instance_of::<PyFloat>() || object.is_none()
}

/// Converts the key of a lookup. Returns `None` for invalid Unicode, which is never a name.
pub(crate) fn lookup_key<'a>(object: &'a Bound<'_, PyAny>) -> PyResult<Option<&'a str>> {
    let text = object.cast::<PyString>().map_err(|_| PyTypeError::new_err("argument 'name': must be a str"))?;
    Ok(text.to_str().ok())
}

/// A duration in seconds, converted from a number or a `timedelta`.
#[derive(Clone, Copy)]
pub(crate) struct Seconds(pub(crate) f64);

impl FromPyObject<'_, '_> for Seconds {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        if object.is_instance_of::<PyBool>() {
            return Err(PyTypeError::new_err("must be seconds or a timedelta, not a bool"));
        }
        if !is_plain(&object) && object.is_instance_of::<PyDelta>() {
            return object.call_method0("total_seconds")?.extract().map(Self);
        }
        match object.extract() {
            Ok(seconds) => Ok(Self(seconds)),
            // A number too large for a double is an invalid value, not an invalid type.
            Err(raised) if raised.is_instance_of::<PyOverflowError>(object.py()) => Ok(Self(f64::INFINITY)),
            Err(_) => Err(PyTypeError::new_err("must be seconds or a timedelta")),
        }
    }
}

/// A `str`, or a `uuid.UUID`.
pub(crate) struct Name(pub(crate) String);

impl FromPyObject<'_, '_> for Name {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        let is_uuid = !object.is_instance_of::<PyString>() && object.get_type().name()? == "UUID";
        if is_uuid { object.str()?.extract().map(Self) } else { object.extract().map(Self) }
    }
}

/// An iterable of `str`. A single `str` is rejected, although it is also iterable.
pub(crate) struct Texts(pub(crate) Vec<String>);

impl FromPyObject<'_, '_> for Texts {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        if object.is_instance_of::<PyString>() {
            return Err(PyTypeError::new_err("must be a list of str, not a str"));
        }
        match object.try_iter() {
            Ok(items) => items.map(|item| item?.extract()).collect::<PyResult<_>>().map(Self),
            Err(_) => object.extract().map(Self),
        }
    }
}

/// Names and values, converted from a mapping or from pairs. Pairs may repeat a name.
pub(crate) struct Pairs(pub(crate) Vec<(String, String)>);

impl FromPyObject<'_, '_> for Pairs {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        let pairs = match object.cast::<PyMapping>() {
            Ok(mapping) => mapping.items()?.into_any(),
            Err(_) => object.to_owned(),
        };
        // Replaces Python's error, which could quote the pair.
        let wrong_type = || PyTypeError::new_err("must be a mapping of str to str, or pairs of str");
        pairs.extract().map(Self).map_err(
            |raised: PyErr| {
                if raised.is_instance_of::<PyUnicodeError>(object.py()) { raised } else { wrong_type() }
            },
        )
    }
}

/// A number, for `from_py_with`. Integers are at least 0. Numbers that are too large become the maximum, whose rule the core states.
pub(crate) trait Number: Sized {
    fn convert(object: &Bound<'_, PyAny>, name: &'static str) -> PyResult<Self>;
}

impl Number for u64 {
    fn convert(object: &Bound<'_, PyAny>, name: &'static str) -> PyResult<Self> {
        // numpy has integers of its own.
        let number = object.call_method0("__index__").ok().filter(|_| !object.is_instance_of::<PyBool>());
        let number = number.ok_or_else(|| PyTypeError::new_err(format!("argument '{name}': must be a whole number")))?;
        if number.lt(0)? {
            return Err(errors::raise(object.py(), Error::invalid_argument(name, "must be a whole number of at least 0")));
        }
        Ok(number.extract().unwrap_or(Self::MAX))
    }
}

impl Number for f64 {
    fn convert(object: &Bound<'_, PyAny>, name: &'static str) -> PyResult<Self> {
        match object.extract() {
            Ok(number) if !object.is_instance_of::<PyBool>() => Ok(number),
            Err(raised) if raised.is_instance_of::<PyOverflowError>(object.py()) => Ok(Self::INFINITY),
            _ => Err(PyTypeError::new_err(format!("argument '{name}': must be a number"))),
        }
    }
}

/// Implements the conversion of smaller numbers.
macro_rules! unsigned {
    ($($number:ty)*) => {
        $(
            impl Number for $number {
                fn convert(object: &Bound<'_, PyAny>, name: &'static str) -> PyResult<Self> {
                    u64::convert(object, name).map(|number| number.try_into().unwrap_or(Self::MAX))
                }
            }
        )*
    };
}

unsigned! { u16 u32 usize }

impl<T: Number> Number for Option<T> {
    fn convert(object: &Bound<'_, PyAny>, name: &'static str) -> PyResult<Self> {
        (!object.is_none()).then(|| T::convert(object, name)).transpose()
    }
}

/// A non-negative integer.
#[derive(Clone, Copy)]
pub(crate) struct Count(pub(crate) i64);

impl FromPyObject<'_, '_> for Count {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        if object.is_instance_of::<PyBool>() {
            return Err(PyTypeError::new_err("must be a whole number, not a bool"));
        }
        match object.extract() {
            Ok(count) => Ok(Self(count)),
            // An integer outside the range of `i64` becomes -1, which is rejected later as an invalid value.
            Err(raised) if raised.is_instance_of::<PyOverflowError>(object.py()) => Ok(Self(-1)),
            Err(_) => Err(PyTypeError::new_err("must be a whole number")),
        }
    }
}

/// Certificates as PEM text, which may have a private key, or the path of a PEM file.
#[derive(Clone)]
pub(crate) enum Certificates {
    Pem(Zeroizing<Vec<u8>>),
    Path(PathBuf),
}

/// A certificate with its private key.
#[derive(Clone)]
pub(crate) struct ClientCertificate(pub(crate) Certificates);

impl FromPyObject<'_, '_> for ClientCertificate {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        object.extract().map(Self)
    }
}

impl FromPyObject<'_, '_> for Certificates {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        if let Ok(text) = object.cast::<PyString>() {
            return match text.to_str() {
                Ok(text) if text.contains("-----BEGIN") => Ok(Self::Pem(Zeroizing::new(text.as_bytes().to_vec()))),
                // File names may be invalid Unicode.
                _ => object.extract().map(Self::Path),
            };
        }
        if let Ok(bytes) = object.cast::<PyBytes>() {
            return Ok(Self::Pem(Zeroizing::new(bytes.as_bytes().to_vec())));
        }
        if let Ok(path) = object.extract() {
            return Ok(Self::Path(path));
        }
        let wrong_type = || PyTypeError::new_err("must be PEM as bytes or str, or the path of a PEM file");
        let copy = PyMemoryView::from(&object).map_err(|_| wrong_type())?.call_method0("tobytes")?;
        Ok(Self::Pem(Zeroizing::new(copy.cast::<PyBytes>()?.as_bytes().to_vec())))
    }
}
