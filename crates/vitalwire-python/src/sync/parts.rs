//! Iterators over the parts of a sync.

use std::mem;
use std::sync::Arc;

use pyo3::exceptions::{PyStopAsyncIteration, PyStopIteration};
use pyo3::prelude::*;
use pyo3::{PyTraverseError, PyVisit};
use tokio::sync::Mutex;
use vitalwire::client::CancelToken;
use vitalwire::{Error, ErrorKind};
use vitalwire_sync::{SyncPart as CorePart, SyncStream};

use super::failure;
use super::part::SyncPart;
use crate::caller::Caller;
use crate::coroutine::Coroutine;
use crate::errors;
use crate::failure::Failure;
use crate::generated::docs;
use crate::runtime::CallMode;

/// State of the parts. A read has the stream.
enum State {
    Open(SyncStream),
    /// A read is in progress, or was dropped together with the stream. The next read says so, and the parts end.
    Taken,
    /// All parts were read, or the parts were closed.
    Ended,
}

/// State of an iterator over parts. Its rules for reads, closing and forked processes are those of ranges.
pub(super) struct Reader {
    caller: Caller,
    state: Arc<Mutex<State>>,
    closed: CancelToken,
    /// Id of the process that started the parts. Requests in flight exist only there.
    process: u32,
}

impl Reader {
    pub(super) fn new(caller: Caller, stream: SyncStream) -> Self {
        let state = Arc::new(Mutex::new(State::Open(stream)));
        Self { caller, state, closed: CancelToken::new(), process: std::process::id() }
    }

    fn is_own_process(&self) -> bool {
        self.process == std::process::id()
    }

    fn next(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        if !self.is_own_process() {
            let reason = "these parts belong to the process before the fork; start the sync in each process";
            return Err(errors::raise(py, Error::configuration(reason)));
        }
        let (mode, work) = (self.caller.mode(), read(Arc::clone(&self.state), self.closed.clone()));
        self.caller.run(
            py,
            |_| work,
            move |py, part: Option<CorePart>| match (part, mode) {
                (Some(part), _) => Ok(Py::new(py, SyncPart::new(part))?.into_any()),
                (None, CallMode::Sync) => Err(PyStopIteration::new_err(())),
                (None, CallMode::Async) => Err(PyStopAsyncIteration::new_err(())),
            },
        )
    }

    fn close(&self) {
        if !self.is_own_process() {
            return;
        }
        self.closed.cancel();
        if let Ok(mut state) = self.state.try_lock() {
            *state = State::Ended;
        }
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        if !self.is_own_process() {
            // Dropping requests would wait for threads that do not exist in a forked child.
            mem::forget(Arc::clone(&self.state));
        }
    }
}

/// Reads the next part. Dropping the future ends the parts.
async fn read(state: Arc<Mutex<State>>, closed: CancelToken) -> Result<Option<CorePart>, Failure> {
    let busy = "another read of these parts is in progress; wait until it has ended";
    let mut state = state.try_lock_owned().map_err(|_| Error::configuration(busy))?;
    let mut stream = match mem::replace(&mut *state, State::Taken) {
        State::Open(stream) => stream,
        State::Taken => {
            *state = State::Ended;
            return Err(Error::with_reason(ErrorKind::Cancelled, "the read of a part was cancelled").into());
        }
        State::Ended => {
            *state = State::Ended;
            return Ok(None);
        }
    };
    let read = closed.unless_cancelled(stream.next()).await;
    *state = State::Ended;
    match read {
        None => Err(Error::with_reason(ErrorKind::Cancelled, "the parts were closed during a read").into()),
        Some(None) => Ok(None),
        Some(Some(part)) => {
            *state = State::Open(stream);
            part.map(Some).map_err(failure::fail)
        }
    }
}

#[doc = docs!(SyncParts)]
#[pyclass(frozen, module = "vitalwire")]
pub(crate) struct SyncParts(pub(super) Reader);

#[doc = docs!(AsyncSyncParts)]
#[pyclass(frozen, module = "vitalwire")]
pub(crate) struct AsyncSyncParts(pub(super) Reader);

/// Defines the methods that the sync and the async iterator share.
macro_rules! methods {
    ($name:ident) => {
        #[pymethods]
        impl $name {
            #[doc = docs!($name.close)]
            fn close(&self) {
                self.0.close();
            }

            fn __enter__(this: Bound<'_, Self>) -> Bound<'_, Self> {
                this
            }

            #[pyo3(signature = (*_exception))]
            fn __exit__(&self, _exception: &Bound<'_, pyo3::types::PyTuple>) {
                self.close();
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

methods!(SyncParts);
methods!(AsyncSyncParts);

#[pymethods]
impl SyncParts {
    fn __iter__(this: Bound<'_, Self>) -> Bound<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.0.next(py)
    }
}

#[pymethods]
impl AsyncSyncParts {
    fn __aiter__(this: Bound<'_, Self>) -> Bound<'_, Self> {
        this
    }

    fn __anext__(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.0.next(py)
    }

    #[doc = docs!(AsyncSyncParts.aclose)]
    fn aclose(this: Bound<'_, Self>) -> Coroutine {
        let this = this.unbind();
        Coroutine::ready(move |py| {
            this.get().close();
            Ok(py.None())
        })
    }
}
