//! Conversion of settings back to keyword arguments, for pickles.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::arguments::{Certificates, ClientCertificate, Count, Seconds};
use crate::attempts::AttemptCallback;
use crate::mock::MockSetting;
use crate::token::Source;

/// A value of a keyword argument.
pub(crate) trait Keyword {
    /// Returns the argument. `None` if it is not set.
    fn to_argument<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>>;
}

impl<T: Keyword> Keyword for Option<T> {
    fn to_argument<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.as_ref().map_or(Ok(None), |value| value.to_argument(py))
    }
}

/// Implements the trait for types whose inner value Python represents directly.
macro_rules! plain_keywords {
    ($($type:ty, $value:ident => $inner:expr;)*) => {
        $(
            impl Keyword for $type {
                fn to_argument<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
                    let $value = self;
                    Ok(Some($inner.into_pyobject(py)?.to_owned().into_any()))
                }
            }
        )*
    };
}

plain_keywords! {
    String, value => value.as_str();
    bool, value => *value;
    f64, value => *value;
    Seconds, value => value.0;
    Count, value => value.0;
}

impl Keyword for Certificates {
    fn to_argument<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        Ok(Some(match self {
            Self::Pem(pem) => PyBytes::new(py, pem).into_any(),
            Self::Path(path) => path.as_path().into_pyobject(py)?.into_any(),
        }))
    }
}

impl Keyword for ClientCertificate {
    fn to_argument<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        match &self.0 {
            path @ Certificates::Path(_) => path.to_argument(py),
            // A pickle is stored or sent, where a private key must not be.
            Certificates::Pem(_) => {
                Err(PyTypeError::new_err("cannot pickle a client whose client_certificate is PEM; pass the path of a file"))
            }
        }
    }
}

impl Keyword for Source {
    fn to_argument<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        match self {
            Self::Callable(callable) => Ok(Some(callable.bind(py).clone())),
            // A pickle is stored or sent, where a token must not be.
            Self::Text(_) => Err(PyTypeError::new_err(
                "cannot pickle a client whose token is a text; pass token=EnvironmentToken(name), FileToken(path) or an importable function",
            )),
        }
    }
}

impl Keyword for AttemptCallback {
    fn to_argument<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        Ok(Some(self.0.bind(py).clone()))
    }
}

impl Keyword for MockSetting {
    fn to_argument<'py>(&self, _: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        Err(PyTypeError::new_err("cannot pickle a client with mock responses"))
    }
}
