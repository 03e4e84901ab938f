//! The parts of a range, one after the other.

use std::mem;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::{PyRuntimeError, PyStopAsyncIteration, PyStopIteration};
use pyo3::prelude::*;
use vitalwire::Error;
use vitalwire::error::ErrorKind;
use vitalwire::range::{Progress, ResumeToken as Token};

use super::part::{Part, PartError};
use super::progress::Reporter;
use super::range::OnFailure;
use super::source::{Piece, Running};
use super::token::ResumeToken;
use crate::caller::{Caller, Failure, Raise, Style};
use crate::errors;

/// Reads parts.
struct Reader {
    caller: Caller,
    on_failure: OnFailure,
    reporter: Option<Reporter>,
    state: Arc<Mutex<State>>,
    /// Who made it: what runs does so in that process alone.
    process: u32,
    /// What was told last.
    told: Mutex<Option<Progress>>,
}

/// Who has the parts.
enum State {
    Idle(Box<dyn Running>),
    /// A reading, which ends them if it is given up.
    Reading,
    /// Nobody: a reading was given up, with this left.
    Cancelled(Option<Token>),
    /// Nobody: they were read, or stopped by a failure, with this left.
    Over(Option<Token>),
}

/// A reading, on its way.
struct Turn {
    state: Arc<Mutex<State>>,
    running: Option<Box<dyn Running>>,
}

impl Turn {
    fn take(state: &Arc<Mutex<State>>) -> Result<Option<Self>, Failure> {
        let mut slot = lock(state);
        match mem::replace(&mut *slot, State::Reading) {
            State::Idle(running) => Ok(Some(Self { state: Arc::clone(state), running: Some(running) })),
            State::Reading => Err(PyRuntimeError::new_err("the parts are being read already").into()),
            State::Cancelled(left) => {
                *slot = State::Cancelled(left.clone());
                let error = Error::with_reason(ErrorKind::Cancelled, "the reading of a part was cancelled");
                Err(Failure::own(PartError { error, left, so_far: None }))
            }
            State::Over(left) => {
                *slot = State::Over(left);
                Ok(None)
            }
        }
    }

    async fn next(mut self) -> Option<Piece> {
        let piece = self.running.as_mut()?.next().await;
        let running = self.running.take()?;
        *lock(&self.state) = if piece.is_some() { State::Idle(running) } else { State::Over(running.left()) };
        piece
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if let Some(running) = self.running.take() {
            *lock(&self.state) = State::Cancelled(running.left());
        }
    }
}

fn lock(state: &Mutex<State>) -> std::sync::MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Reader {
    fn next(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        if self.process != std::process::id() {
            let error = Error::configuration("these parts were begun before a fork: begin again, or resume, in each process");
            return Err(errors::raise(py, error));
        }
        self.tell(py)?;
        let state = Arc::clone(&self.state);
        let work = move |_| async move {
            let turn = Turn::take(&state)?;
            Ok(match turn {
                Some(turn) => turn.next().await,
                None => None,
            })
        };
        let (style, on_failure) = (self.caller.style(), self.on_failure);
        self.caller.run(py, work, move |py, piece: Option<Piece>| match (piece, style) {
            (Some(Piece { answer: Err(error), .. }), _) if on_failure == OnFailure::Raise => Err(Box::new(error).raise(py)),
            (Some(piece), _) => Ok(Py::new(py, Part::of(py, piece)?)?.into_any()),
            (None, Style::Sync) => Err(PyStopIteration::new_err(())),
            (None, Style::Async) => Err(PyStopAsyncIteration::new_err(())),
        })
    }

    /// Tells of the part before, which the caller is done with.
    fn tell(&self, py: Python<'_>) -> PyResult<()> {
        let Some(reporter) = &self.reporter else { return Ok(()) };
        let (progress, left) = match &*lock(&self.state) {
            State::Idle(running) => (running.progress(), running.left()),
            _ => return Ok(()),
        };
        let before = self.told.lock().unwrap_or_else(PoisonError::into_inner).replace(progress);
        if progress.done > 0 && before != Some(progress) {
            reporter.report(py, progress).inspect_err(|raised| {
                *lock(&self.state) = State::Over(left.clone());
                // Best effort: Ctrl-C has no such attribute of ours, and takes it all the same.
                let _ = raised.value(py).setattr("resume_token", left.map(ResumeToken));
            })?;
        }
        if progress.done == progress.total {
            reporter.close(py)?;
        }
        Ok(())
    }

    fn left(&self) -> Option<ResumeToken> {
        let left = match &*lock(&self.state) {
            State::Idle(running) => running.left(),
            State::Reading => None,
            State::Cancelled(left) | State::Over(left) => left.clone(),
        };
        left.map(ResumeToken)
    }

    fn close(&self, py: Python<'_>) -> PyResult<()> {
        let mut state = lock(&self.state);
        if let State::Idle(running) = &*state {
            let left = running.left();
            *state = State::Over(left);
        }
        drop(state);
        self.reporter.as_ref().map_or(Ok(()), |reporter| reporter.close(py))
    }
}

/// The parts of a [`Range`](super::Range), in order. Closing or dropping it ends what is on its way.
#[pyclass(frozen, generic, module = "vitalwire")]
pub(crate) struct Parts(Reader);

/// The parts of an [`AsyncRange`](super::AsyncRange), in order. Closing or dropping it ends what is on its way.
#[pyclass(frozen, generic, module = "vitalwire")]
pub(crate) struct AsyncParts(Reader);

impl Parts {
    pub(super) fn of(caller: Caller, on_failure: OnFailure, reporter: Option<Reporter>, running: Box<dyn Running>) -> Self {
        Self(reader(caller, on_failure, reporter, running))
    }
}

impl AsyncParts {
    pub(super) fn of(caller: Caller, on_failure: OnFailure, reporter: Option<Reporter>, running: Box<dyn Running>) -> Self {
        Self(reader(caller, on_failure, reporter, running))
    }
}

fn reader(caller: Caller, on_failure: OnFailure, reporter: Option<Reporter>, running: Box<dyn Running>) -> Reader {
    Reader {
        caller,
        on_failure,
        reporter,
        process: std::process::id(),
        state: Arc::new(Mutex::new(State::Idle(running))),
        told: Mutex::new(None),
    }
}

#[pymethods]
impl Parts {
    fn __iter__(this: Bound<'_, Self>) -> Bound<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.0.next(py)
    }

    /// A token for what was not handed out yet; `None` when nothing is left, and while a part is being read.
    #[getter]
    fn resume_token(&self) -> Option<ResumeToken> {
        self.0.left()
    }

    /// Ends what is on its way; its connections are closed.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        self.0.close(py)
    }

    fn __enter__(this: Bound<'_, Self>) -> Bound<'_, Self> {
        this
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, pyo3::types::PyTuple>) -> PyResult<()> {
        self.0.close(py)
    }

    fn __repr__(&self) -> &'static str {
        "Parts(...)"
    }
}

#[pymethods]
impl AsyncParts {
    fn __aiter__(this: Bound<'_, Self>) -> Bound<'_, Self> {
        this
    }

    fn __anext__(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.0.next(py)
    }

    /// A token for what was not handed out yet; `None` when nothing is left, and while a part is being read.
    #[getter]
    fn resume_token(&self) -> Option<ResumeToken> {
        self.0.left()
    }

    /// Ends what is on its way; its connections are closed.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        self.0.close(py)
    }

    fn __enter__(this: Bound<'_, Self>) -> Bound<'_, Self> {
        this
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, pyo3::types::PyTuple>) -> PyResult<()> {
        self.0.close(py)
    }

    /// `close()`, for `contextlib.aclosing`.
    fn aclose(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.0.close(py)?;
        self.0.caller.run(py, |_| async { Ok(()) }, |py, ()| Ok(py.None()))
    }

    fn __repr__(&self) -> &'static str {
        "AsyncParts(...)"
    }
}
