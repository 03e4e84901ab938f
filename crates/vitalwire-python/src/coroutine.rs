//! Coroutines of calls. Tasks of an event loop await them; threads of the runtime drive the calls.

use std::future::Future;
use std::mem;
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::future::Either;
use pyo3::exceptions::{PyAttributeError, PyRuntimeError, PyRuntimeWarning, PyStopIteration, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};
use pyo3::{PyTraverseError, PyVisit};
use tokio::task::AbortHandle;
use vitalwire::client::ProviderContext;
use vitalwire::{Error, boundary};

use crate::event_loop::{Outcome, PendingCall};
use crate::failure::Failure;
use crate::{errors, event_loop, provider_context, runtime};

/// Error of a coroutine that is already running, in the words of Python's coroutines.
const EXECUTING: &str = "coroutine already executing";

/// Function that starts a call. Takes the context of the token provider that awaits the call, if any. Passes the outcome to the pending
/// call.
type StartCall = Box<dyn FnOnce(Arc<PendingCall>, Option<ProviderContext>) -> Result<AbortHandle, Error> + Send>;

/// A call that starts when it is awaited. Implements the coroutine protocol for `asyncio`.
#[pyclass(frozen, module = "vitalwire", name = "_Call")]
pub(crate) struct Coroutine(Mutex<State>);

enum State {
    /// Not awaited yet.
    New(StartCall),
    /// Completes at the first await, without an event loop.
    Ready(Outcome),
    /// In flight. `waiting` iterates over the future that the task waits for.
    InFlight { task: AbortHandle, pending: Arc<PendingCall>, waiting: Py<PyAny> },
    /// Running in `send` or `throw`.
    Busy,
    /// Completed or failed.
    Done,
}

impl Coroutine {
    /// Creates a coroutine whose work begins at the first await. `finish` runs on the thread of the event loop.
    pub(crate) fn new<T, W>(
        begin: impl FnOnce() -> Result<W, Error> + Send + 'static,
        finish: impl FnOnce(Python<'_>, T) -> PyResult<Py<PyAny>> + Send + 'static,
    ) -> Self
    where
        T: Send + 'static,
        W: Future<Output = Result<T, Failure>> + Send + 'static,
    {
        let begin = move |pending: Arc<PendingCall>, context: Option<ProviderContext>| {
            let work = begin()?;
            let work = match context {
                Some(context) => Either::Left(context.run_async(Box::pin(work))),
                None => Either::Right(work),
            };
            let task = runtime::worker_runtime()?.spawn(async move {
                let Some(result) = Arc::clone(&pending).run(boundary::catch_panic_async(work)).await else { return };
                let outcome: Outcome = Box::new(move |py| match result {
                    Ok(Ok(value)) => finish(py, value),
                    Ok(Err(failure)) => Err(failure.raise(py)),
                    Err(panicked) => Err(errors::raise(py, panicked)),
                });
                pending.complete(outcome);
            });
            Ok(task.abort_handle())
        };
        Self(Mutex::new(State::New(Box::new(begin))))
    }

    /// Creates a coroutine that completes at the first await.
    pub(crate) fn ready(work: impl FnOnce(Python<'_>) -> PyResult<Py<PyAny>> + Send + 'static) -> Self {
        Self(Mutex::new(State::Ready(Box::new(work))))
    }

    fn swap(&self, state: State) -> State {
        mem::replace(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner), state)
    }

    /// Starts the call or checks whether it has completed. Returns the future for the task to wait on.
    fn step(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let (task, pending, waiting) = match self.swap(State::Busy) {
            State::New(begin) => launch(py, begin).inspect_err(|_| drop(self.swap(State::Done)))?,
            State::Ready(outcome) => {
                let outcome = outcome(py);
                self.swap(State::Done);
                return Err(PyStopIteration::new_err((outcome?,)));
            }
            State::InFlight { task, pending, waiting } => (task, pending, waiting),
            State::Busy => return Err(PyValueError::new_err(EXECUTING)),
            State::Done => {
                self.swap(State::Done);
                return Err(PyRuntimeError::new_err("cannot reuse already awaited coroutine"));
            }
        };
        // Yields the future while it is pending. Raises the exception of the future, such as a cancellation.
        match waiting.bind(py).call_method0(pyo3::intern!(py, "__next__")) {
            Ok(future) => {
                self.swap(State::InFlight { task, pending, waiting });
                Ok(future.unbind())
            }
            Err(ended) => {
                self.swap(State::Done);
                if !ended.is_instance_of::<PyStopIteration>(py) {
                    discard(&task, &pending);
                    return Err(ended);
                }
                let outcome = pending.outcome().ok_or_else(|| errors::raise(py, Error::internal("a call ended without a result")))?;
                Err(PyStopIteration::new_err((outcome(py)?,)))
            }
        }
    }

    /// Aborts the call and closes its connection.
    fn abort(&self) -> PyResult<()> {
        let before = {
            let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if matches!(&*state, State::Busy) {
                return Err(PyValueError::new_err(EXECUTING));
            }
            mem::replace(&mut *state, State::Done)
        };
        if let State::InFlight { task, pending, .. } = before {
            discard(&task, &pending);
        }
        Ok(())
    }
}

/// Aborts a call. If it has completed, drops its outcome now, because the queue of the loop may keep the call longer.
fn discard(task: &AbortHandle, pending: &PendingCall) {
    task.abort();
    drop(pending.outcome());
}

/// Starts the work for the event loop of this thread.
fn launch(py: Python<'_>, begin: StartCall) -> PyResult<(AbortHandle, Arc<PendingCall>, Py<PyAny>)> {
    let (pending, waiting) = event_loop::register_call(py)?;
    let task = begin(Arc::clone(&pending), provider_context::current(py)).map_err(|error| errors::raise(py, error))?;
    Ok((task, pending, waiting))
}

#[pymethods]
impl Coroutine {
    fn __await__(this: Bound<'_, Self>) -> Bound<'_, Self> {
        this
    }

    fn __iter__(this: Bound<'_, Self>) -> Bound<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.step(py)
    }

    #[pyo3(signature = (value, /))]
    fn send(&self, py: Python<'_>, value: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let _ = value;
        self.step(py)
    }

    /// Aborts the call and raises an exception.
    #[pyo3(signature = (kind, value=None, traceback=None, /))]
    fn throw(
        &self,
        kind: &Bound<'_, PyAny>,
        value: Option<&Bound<'_, PyAny>>,
        traceback: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        self.abort()?;
        let exception = match (kind.cast::<PyType>(), value) {
            (Ok(_), Some(value)) if value.is_instance(kind)? => value.clone(),
            (Ok(class), Some(value)) => class.call1((value,))?,
            (Ok(class), None) => class.call0()?,
            (Err(_), _) => kind.clone(),
        };
        if !exception.is_instance_of::<pyo3::exceptions::PyBaseException>() {
            return Err(PyTypeError::new_err("exceptions must be classes or instances deriving from BaseException"));
        }
        if let Some(traceback) = traceback {
            exception.setattr("__traceback__", traceback)?;
        }
        Err(PyErr::from_value(exception))
    }

    /// Aborts the call.
    fn close(&self) -> PyResult<()> {
        self.abort()
    }

    /// Visits the future for the garbage collector. The future refers to the task that waits, and the task to this coroutine: a cycle.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        // The lock is free here: only threads attached to the interpreter take it, and the collector has stopped them.
        if let Ok(state) = self.0.try_lock()
            && let State::InFlight { pending, waiting, .. } = &*state
        {
            pending.visit(&visit)?;
            visit.call(waiting)?;
        }
        Ok(())
    }

    /// Returns the name of the coroutine for the `repr` of tasks.
    #[getter]
    fn __qualname__(&self) -> &'static str {
        "vitalwire.call"
    }

    /// Raises an error that states the remedy. Called for attributes that the class does not have, such as those of the response.
    fn __getattr__(&self, name: &Bound<'_, PyString>) -> PyResult<Py<PyAny>> {
        // Names with underscores are protocols that libraries look for.
        let is_private = name.to_str().is_ok_and(|name| name.starts_with('_'));
        Err(PyAttributeError::new_err(if is_private {
            "the call has no such attribute"
        } else {
            "await the call first: response = await client..."
        }))
    }

    fn __repr__(&self) -> &'static str {
        match &*self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            State::New(_) | State::Ready(_) => "<vitalwire call, not awaited>",
            State::InFlight { .. } | State::Busy => "<vitalwire call, running>",
            State::Done => "<vitalwire call, done>",
        }
    }
}

impl Drop for Coroutine {
    fn drop(&mut self) {
        match mem::replace(self.0.get_mut().unwrap_or_else(PoisonError::into_inner), State::Done) {
            // Warns as Python's coroutines do, because the caller probably forgot an `await`.
            State::New(_) | State::Ready(_) => {
                errors::with_saved_exception(|py| {
                    let category = py.get_type::<PyRuntimeWarning>();
                    if let Err(error) = PyErr::warn(py, &category, c"a call of vitalwire was never awaited", 1) {
                        error.write_unraisable(py, None);
                    }
                });
            }
            State::InFlight { task, .. } => task.abort(),
            State::Busy | State::Done => {}
        }
    }
}
