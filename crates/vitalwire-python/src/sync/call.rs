//! Syncs of both clients, before they start.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use pyo3::{PyTraverseError, PyVisit};
use vitalwire_sync::{SyncCall as Core, SyncClient as _, SyncKey};

use super::event::SyncEvent;
use super::failure;
use super::parts::{AsyncSyncParts, Reader, SyncParts};
use super::plan::SyncPlan;
use crate::arguments::{Count, Pairs, Seconds, numbers, sync as texts};
use crate::caller::Caller;
use crate::cancel::Cancellation;
use crate::client::{AsyncClient, Client};
use crate::cohort::arguments::{day, tables};
use crate::generated::{arguments, docs};
use crate::options::Options;
use crate::{convert, errors, hints};

/// Arguments of a sync, without those of its calls.
struct Arguments<'py> {
    kinds: Bound<'py, PyAny>,
    secret: Bound<'py, PyAny>,
    user: String,
    state: Option<Bound<'py, PyAny>>,
    first: Option<Bound<'py, PyAny>>,
    look_back: u32,
    events: Option<Bound<'py, PyAny>>,
    service_name: Option<String>,
    check_account: bool,
    expect_account: Option<String>,
}

/// A sync of either client.
struct Inner {
    caller: Caller,
    core: Core,
}

impl Inner {
    /// Creates a sync without sending requests. Rejects invalid arguments and states.
    fn new(py: Python<'_>, caller: &Caller, arguments: Arguments<'_>, options: &Options<'_>) -> PyResult<Self> {
        // The core's calls handle the cancel token, so that the parts end after its error.
        let caller = caller.with_cancellation(py, Cancellation::default()).with_tasks();
        let cancel = options.cancel.clone().unwrap_or_default();
        let options = cancel.apply_to(options.to_core().map_err(|error| errors::raise(py, error))?);
        let secret = convert::as_bytes("secret", &arguments.secret)?;
        let key = SyncKey::new(secret.as_bytes(), arguments.user).map_err(|error| errors::raise(py, error))?;
        let state = arguments.state.as_ref().map(|state| convert::as_bytes("state", state)).transpose()?;
        let state = state.map(|state| state.as_bytes().to_vec());
        let mut core = caller.core().sync(tables("kinds", &arguments.kinds)?, key).state_or_first(state);
        core = core.look_back(arguments.look_back).check_account(arguments.check_account).options(options);
        if let Some(first) = day("first", arguments.first.as_ref())? {
            core = core.from(first);
        }
        if let Some(events) = arguments.events {
            for event in events.try_iter().map_err(|_| invalid_events())? {
                core = core.event(event?.cast::<SyncEvent>().map_err(|_| invalid_events())?.get().core().clone());
            }
        }
        if let Some(name) = arguments.service_name {
            core = core.service_name(name);
        }
        if let Some(account) = arguments.expect_account {
            core = core.expect_account(account);
        }
        let inner = Self { caller, core };
        drop(inner.start(py)?);
        Ok(inner)
    }

    fn start(&self, py: Python<'_>) -> PyResult<Reader> {
        self.caller.check_open().map_err(|error| errors::raise(py, error))?;
        let stream = self.core.clone().start().map_err(|error| failure::raise(py, error))?;
        Ok(Reader::new(self.caller.share(py), stream))
    }
}

fn invalid_events() -> PyErr {
    PyTypeError::new_err("argument 'events': must be a list of SyncEvent")
}

#[doc = docs!(SyncCall)]
#[pyclass(frozen, module = "vitalwire")]
pub(crate) struct SyncCall(Inner);

#[doc = docs!(AsyncSyncCall)]
#[pyclass(frozen, module = "vitalwire")]
pub(crate) struct AsyncSyncCall(Inner);

/// Defines `sync` of a client, and the members that both classes share.
macro_rules! methods {
    ($client:ident, $name:ident) => {
        #[pymethods]
        impl $client {
            #[doc = docs!($client.sync)]
            #[pyo3(signature = (
                kinds, *, secret, user, state=None, first=None, look_back=7, events=None, service_name=None, check_account=true,
                expect_account=None, timeout=None, attempt_timeout=None, connect_timeout=None, max_retries=None, headers=None, token=None,
                cancel=None
            ))]
            #[allow(clippy::too_many_arguments, reason = "keyword arguments in Python")]
            fn sync(
                &self,
                py: Python<'_>,
                kinds: Bound<'_, PyAny>,
                secret: Bound<'_, PyAny>,
                #[pyo3(from_py_with = texts::user)] user: String,
                state: Option<Bound<'_, PyAny>>,
                first: Option<Bound<'_, PyAny>>,
                #[pyo3(from_py_with = numbers::look_back)] look_back: u32,
                events: Option<Bound<'_, PyAny>>,
                #[pyo3(from_py_with = texts::service_name)] service_name: Option<String>,
                #[pyo3(from_py_with = texts::check_account)] check_account: bool,
                #[pyo3(from_py_with = texts::expect_account)] expect_account: Option<String>,
                #[pyo3(from_py_with = arguments::timeout)] timeout: Option<Seconds>,
                #[pyo3(from_py_with = arguments::attempt_timeout)] attempt_timeout: Option<Seconds>,
                #[pyo3(from_py_with = arguments::connect_timeout)] connect_timeout: Option<Seconds>,
                #[pyo3(from_py_with = arguments::max_retries)] max_retries: Option<Count>,
                #[pyo3(from_py_with = arguments::headers)] headers: Option<Pairs>,
                #[pyo3(from_py_with = arguments::token)] token: Option<&str>,
                #[pyo3(from_py_with = arguments::cancel)] cancel: Option<Cancellation>,
            ) -> PyResult<$name> {
                let arguments =
                    Arguments { kinds, secret, user, state, first, look_back, events, service_name, check_account, expect_account };
                let options =
                    Options { timeout, attempt_timeout, connect_timeout, max_retries, headers, token, cancel, ..Options::default() };
                Inner::new(py, &self.caller, arguments, &options).map($name)
            }
        }

        #[pymethods]
        impl $name {
            #[doc = docs!($name.plan)]
            fn plan(&self, py: Python<'_>) -> PyResult<SyncPlan> {
                let core = self.0.core.clone();
                py.detach(|| core.plan()).map(SyncPlan).map_err(|error| failure::raise(py, error))
            }

            #[doc = docs!($name.record_events)]
            fn record_events<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
                let core = self.0.core.clone();
                let state = py.detach(|| core.record_events()).map_err(|error| failure::raise(py, error))?;
                Ok(PyBytes::new(py, &state))
            }

            fn __repr__(&self) -> &'static str {
                concat!(stringify!($name), "(...)")
            }

            fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
                self.0.caller.visit(&visit)
            }
        }
    };
}

methods!(Client, SyncCall);
methods!(AsyncClient, AsyncSyncCall);

#[pymethods]
impl SyncCall {
    fn __iter__(&self, py: Python<'_>) -> PyResult<SyncParts> {
        self.0.start(py).map(SyncParts)
    }
}

#[pymethods]
impl AsyncSyncCall {
    fn __aiter__(&self, py: Python<'_>) -> PyResult<AsyncSyncParts> {
        self.0.start(py).map(AsyncSyncParts)
    }

    /// Raises an error that states the remedy.
    fn __iter__(&self) -> PyResult<Py<PyAny>> {
        Err(hints::needs_async_for("AsyncSyncCall"))
    }
}
