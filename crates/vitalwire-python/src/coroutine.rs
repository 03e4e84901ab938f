//! Coroutines over calls: awaited by the tasks of an event loop, driven by the runtime's threads.

use std::future::Future;
use std::mem;
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::future::Either;
use pyo3::exceptions::{PyRuntimeError, PyRuntimeWarning, PyStopIteration, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyType;
use pyo3::{PyTraverseError, PyVisit};
use tokio::task::AbortHandle;
use vitalwire::client::ProviderContext;
use vitalwire::{Error, boundary};

use crate::event_loop::{Flight, Outcome};
use crate::failure::Failure;
use crate::{errors, event_loop, provider_context, runtime};

/// As coroutines of Python's own say it.
const EXECUTING: &str = "coroutine already executing";

/// Starts the work, in the context of the provider that awaits it, if one does; what comes of it goes to the flight.
type Begin = Box<dyn FnOnce(Arc<Flight>, Option<ProviderContext>) -> Result<AbortHandle, Error> + Send>;

/// A call that is made when it is awaited: everything that `asyncio` asks of a coroutine.
#[pyclass(frozen, module = "vitalwire", name = "_Call")]
pub(crate) struct Coroutine(Mutex<State>);

enum State {
    /// Not awaited yet.
    New(Begin),
    /// Needs no loop: what it gives when it is awaited.
    Ready(Outcome),
    /// On its way: the iterator of the future that the task waits for.
    Flying { task: AbortHandle, flight: Arc<Flight>, waiting: Py<PyAny> },
    /// In `send` or `throw`.
    Busy,
    /// Ended, well or not.
    Done,
}

impl Coroutine {
    /// Of work that begins when this is first awaited; `finish` runs on the loop's thread.
    pub(crate) fn new<T, W>(
        begin: impl FnOnce() -> Result<W, Error> + Send + 'static,
        finish: impl FnOnce(Python<'_>, T) -> PyResult<Py<PyAny>> + Send + 'static,
    ) -> Self
    where
        T: Send + 'static,
        W: Future<Output = Result<T, Failure>> + Send + 'static,
    {
        let begin = move |flight: Arc<Flight>, context: Option<ProviderContext>| {
            let work = begin()?;
            let work = match context {
                Some(context) => Either::Left(context.carry(Box::pin(work))),
                None => Either::Right(work),
            };
            let task = runtime::threads()?.spawn(async move {
                let Some(result) = Arc::clone(&flight).carry(boundary::caught_call(work)).await else { return };
                let outcome: Outcome = Box::new(move |py| match result {
                    Ok(Ok(value)) => finish(py, value),
                    Ok(Err(failure)) => Err(failure.raise(py)),
                    Err(panicked) => Err(errors::raise(py, panicked)),
                });
                flight.land(outcome);
            });
            Ok(task.abort_handle())
        };
        Self(Mutex::new(State::New(Box::new(begin))))
    }

    /// Of what is done at once when this is awaited.
    pub(crate) fn ready(work: impl FnOnce(Python<'_>) -> PyResult<Py<PyAny>> + Send + 'static) -> Self {
        Self(Mutex::new(State::Ready(Box::new(work))))
    }

    fn swap(&self, state: State) -> State {
        mem::replace(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner), state)
    }

    /// Starts the call, or looks whether it has ended. Gives what the task is to wait for.
    fn step(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let (task, flight, waiting) = match self.swap(State::Busy) {
            State::New(begin) => launch(py, begin).inspect_err(|_| drop(self.swap(State::Done)))?,
            State::Ready(outcome) => {
                let outcome = outcome(py);
                self.swap(State::Done);
                return Err(PyStopIteration::new_err((outcome?,)));
            }
            State::Flying { task, flight, waiting } => (task, flight, waiting),
            State::Busy => return Err(PyValueError::new_err(EXECUTING)),
            State::Done => {
                self.swap(State::Done);
                return Err(PyRuntimeError::new_err("cannot reuse already awaited coroutine"));
            }
        };
        // Gives the future as long as nothing has come, and raises what that was told to raise.
        match waiting.bind(py).call_method0(pyo3::intern!(py, "__next__")) {
            Ok(future) => {
                self.swap(State::Flying { task, flight, waiting });
                Ok(future.unbind())
            }
            Err(ended) => {
                self.swap(State::Done);
                if !ended.is_instance_of::<PyStopIteration>(py) {
                    task.abort();
                    return Err(ended);
                }
                let outcome = flight.outcome().ok_or_else(|| errors::raise(py, Error::internal("a call ended without a result")))?;
                Err(PyStopIteration::new_err((outcome(py)?,)))
            }
        }
    }

    /// Ends the call, whose connection is closed at once.
    fn end(&self) -> PyResult<()> {
        let before = {
            let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if matches!(&*state, State::Busy) {
                return Err(PyValueError::new_err(EXECUTING));
            }
            mem::replace(&mut *state, State::Done)
        };
        if let State::Flying { task, .. } = before {
            task.abort();
        }
        Ok(())
    }
}

/// Starts the work, for the loop that runs on this thread.
fn launch(py: Python<'_>, begin: Begin) -> PyResult<(AbortHandle, Arc<Flight>, Py<PyAny>)> {
    let (flight, waiting) = event_loop::take_off(py)?;
    let task = begin(Arc::clone(&flight), provider_context::current(py)).map_err(|error| errors::raise(py, error))?;
    Ok((task, flight, waiting))
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

    /// Ends the call with an exception.
    #[pyo3(signature = (kind, value=None, traceback=None, /))]
    fn throw(
        &self,
        kind: &Bound<'_, PyAny>,
        value: Option<&Bound<'_, PyAny>>,
        traceback: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        self.end()?;
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

    /// Ends the call.
    fn close(&self) -> PyResult<()> {
        self.end()
    }

    /// The task that waits knows this, and what this waits for knows the task.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        // Free: it is held for moments, by threads that are attached, and these stand still while the collector looks.
        if let Ok(state) = self.0.try_lock()
            && let State::Flying { flight, waiting, .. } = &*state
        {
            flight.visit(&visit)?;
            visit.call(waiting)?;
        }
        Ok(())
    }

    /// What tasks show of themselves.
    #[getter]
    fn __qualname__(&self) -> &'static str {
        "vitalwire.call"
    }

    fn __repr__(&self) -> &'static str {
        match &*self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            State::New(_) | State::Ready(_) => "<vitalwire call, not awaited>",
            State::Flying { .. } | State::Busy => "<vitalwire call, running>",
            State::Done => "<vitalwire call, done>",
        }
    }
}

impl Drop for Coroutine {
    fn drop(&mut self) {
        match mem::replace(self.0.get_mut().unwrap_or_else(PoisonError::into_inner), State::Done) {
            // As for coroutines of Python's own: most likely an `await` was forgotten.
            State::New(_) | State::Ready(_) => {
                errors::aside(|py| {
                    let category = py.get_type::<PyRuntimeWarning>();
                    if let Err(error) = PyErr::warn(py, &category, c"a call of vitalwire was never awaited", 1) {
                        error.write_unraisable(py, None);
                    }
                });
            }
            State::Flying { task, .. } => task.abort(),
            State::Busy | State::Done => {}
        }
    }
}
