//! Tokens: fixed tokens, and callables that return a token when needed.

use std::sync::Arc;
use std::time::SystemTime;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use vitalwire::client::{BoxFuture, RefreshReason, Token as Core, TokenProvider};
use vitalwire::error::BoxError;
use vitalwire::{Error, signing};
use zeroize::Zeroizing;

use crate::arguments::{self, methods, token};
use crate::errors::{self, RaisedException};
use crate::generated::docs;
use crate::runtime::CallMode;
use crate::{callable, convert, runtime};

#[doc = docs!(Token)]
#[pyclass(frozen, module = "vitalwire")]
pub(crate) struct Token(Core);

#[pymethods]
impl Token {
    #[new]
    #[pyo3(signature = (text, *, expires_at=None))]
    fn new(
        #[pyo3(from_py_with = token::text)] text: &str,
        #[pyo3(from_py_with = token::expires_at)] expires_at: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let Some(end) = expires_at else { return Ok(Self(Core::new(text))) };
        Ok(Self(Core::expiring(text, SystemTime::from(convert::to_timestamp("expires_at", &end)?))))
    }

    fn __repr__(&self) -> &'static str {
        "Token(...)"
    }
}

#[doc = docs!(sign_user_id)]
#[pyfunction]
pub(crate) fn sign_user_id(key: &Bound<'_, PyAny>, #[pyo3(from_py_with = methods::user_id)] user_id: &str) -> PyResult<String> {
    let signed = match key.cast::<PyString>() {
        Ok(text) => {
            // Replaces Python's error about unpaired surrogates, which contains the text.
            let text = text.to_str().map_err(|_| errors::raise(key.py(), Error::invalid_argument("key", "must be valid Unicode")))?;
            signing::sign_user_id(Zeroizing::new(text.to_owned()).as_bytes(), user_id)
        }
        Err(_) => signing::sign_user_id(convert::as_bytes("key", key)?.as_bytes(), user_id),
    };
    signed.map_err(|error| errors::raise(key.py(), error))
}

/// Source of a client's tokens.
#[derive(Clone)]
pub(crate) enum Source {
    /// A fixed token.
    Text(Zeroizing<String>),
    /// A callable that returns a token.
    Callable(Arc<Py<PyAny>>),
}

impl FromPyObject<'_, '_> for Source {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        if let Ok(text) = object.cast::<PyString>() {
            return Ok(Self::Text(Zeroizing::new(text.to_str()?.to_owned())));
        }
        if object.is_callable() {
            return Ok(Self::Callable(Arc::new(object.to_owned().unbind())));
        }
        Err(PyTypeError::new_err("must be a str or a callable that returns one"))
    }
}

/// A callable as token provider of the core.
pub(crate) struct Callback {
    callable: Arc<Py<PyAny>>,
    mode: CallMode,
}

impl Callback {
    /// Creates the provider of a client with this call mode.
    pub(crate) fn new(callable: Arc<Py<PyAny>>, mode: CallMode) -> Self {
        Self { callable, mode }
    }
}

impl TokenProvider for Callback {
    fn token(&self, reason: RefreshReason) -> BoxFuture<'_, Result<Core, BoxError>> {
        let reason = match reason {
            RefreshReason::Expiring => "expiring",
            RefreshReason::Rejected => "rejected",
            // The core may add reasons. They also mean that a new token is needed.
            _ => "missing",
        };
        Box::pin(async move {
            let returned = match self.mode {
                CallMode::Sync => {
                    let callable = Arc::clone(&self.callable);
                    runtime::run_for_result(move |py| to_token(&callable.bind(py).call1((reason,))?)).await
                }
                CallMode::Async => callable::call(Arc::clone(&self.callable), reason, to_token).await,
            };
            match returned {
                Some(Ok(token)) => Ok(token),
                Some(Err(raised)) => Err(BoxError::from(RaisedException(raised))),
                None => Err(BoxError::from("the event loop is closed or the interpreter is shutting down")),
            }
        })
    }
}

/// Converts the result of a callable. Errors do not contain its value.
fn to_token(returned: &Bound<'_, PyAny>) -> PyResult<Core> {
    if let Ok(token) = returned.cast::<Token>() {
        return Ok(token.get().0.clone());
    }
    if returned.is_instance_of::<PyString>() {
        return arguments::extract::<&str>(returned, "token").map(Core::new);
    }
    if callable::is_awaitable(returned)? {
        if returned.hasattr("close")? {
            returned.call_method0("close")?;
        }
        return Err(PyTypeError::new_err("the token callable is async; use an AsyncClient"));
    }
    Err(PyTypeError::new_err("the token callable must return a str or a Token"))
}
