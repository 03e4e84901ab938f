//! Callbacks that are told how far a call is, on the thread of who waits for it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pyo3::PyClass;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pyclass_init::PyClassInitializer;
use tokio::sync::oneshot;
use vitalwire::client::CancelToken;

use crate::failure::Failure;
use crate::runtime::Style;
use crate::{awaiting, runtime};

/// What is needed instead of a function that is awaited.
const PLAIN: &str = "a plain function, not an async one,";

fn wrong(needed: &str) -> PyErr {
    PyTypeError::new_err(format!("argument 'on_progress': {needed} is needed"))
}

/// A callback, and what became of it.
pub(crate) struct Telling {
    callback: Py<PyAny>,
    style: Style,
    /// The event loop on whose thread it is called; none for the thread that waits.
    event_loop: Option<Py<PyAny>>,
    /// What it raised first.
    raised: Mutex<Option<PyErr>>,
    /// Ends the call when it has raised.
    stop: CancelToken,
    /// Is there until the last call that was handed to the event loop has been made.
    last: Mutex<Option<oneshot::Receiver<()>>>,
}

impl Telling {
    /// Of a plain function; what it raises ends the call that has the token.
    pub(crate) fn new(callback: &Bound<'_, PyAny>, style: Style, stop: CancelToken) -> PyResult<Self> {
        if !callback.is_callable() {
            return Err(wrong("a function"));
        }
        // It would be called and never run.
        let inspect = callback.py().import("inspect")?;
        if inspect.call_method1("iscoroutinefunction", (callback,))?.is_truthy()? {
            return Err(wrong(PLAIN));
        }
        let callback = callback.clone().unbind();
        Ok(Self { callback, style, event_loop: None, raised: Mutex::default(), stop, last: Mutex::default() })
    }

    /// Learns which event loop runs on this thread, if calls are awaited.
    pub(crate) fn begin(mut self) -> Result<Arc<Self>, Failure> {
        if self.style == Style::Async {
            let running = Python::attach(|py| py.import("asyncio")?.call_method0("get_running_loop").map(Bound::unbind))?;
            self.event_loop = Some(running);
        }
        Ok(Arc::new(self))
    }

    /// Calls it with how far the call is; from the event loop as soon as that is free.
    pub(crate) fn tell<T: PyClass + Into<PyClassInitializer<T>> + Send>(self: &Arc<Self>, progress: T) {
        let (told, last) = oneshot::channel();
        *lock(&self.last) = Some(last);
        let call = Told { telling: Arc::clone(self), told: Mutex::new(Some(told)) };
        let hand_over = move |py: Python<'_>| {
            let telling = Arc::clone(&call.telling);
            if let Err(error) = telling.hand_over(py, call, progress) {
                telling.fail(error);
            }
            Ok(())
        };
        if self.event_loop.is_none() {
            runtime::ask(hand_over);
        } else {
            // Nobody is told anything in an interpreter that is going down.
            let _ = Python::try_attach(hand_over);
        }
    }

    fn hand_over<T: PyClass + Into<PyClassInitializer<T>>>(&self, py: Python<'_>, call: Told, progress: T) -> PyResult<()> {
        let progress = Bound::new(py, progress)?;
        match &self.event_loop {
            Some(event_loop) => event_loop.call_method1(py, pyo3::intern!(py, "call_soon_threadsafe"), (call, progress)).map(drop),
            None => {
                call.__call__(progress.into_any());
                Ok(())
            }
        }
    }

    fn call(&self, progress: &Bound<'_, PyAny>) -> PyResult<()> {
        let answer = self.callback.bind(progress.py()).call1((progress,))?;
        if !awaiting::is_awaitable(&answer)? {
            return Ok(());
        }
        // Nobody awaits it; once it is closed Python says no more of it.
        if answer.hasattr("close")? {
            answer.call_method0("close")?;
        }
        Err(wrong(PLAIN))
    }

    /// Ends the call that is told of.
    fn fail(&self, error: PyErr) {
        lock(&self.raised).get_or_insert(error);
        self.stop.cancel();
    }

    /// What it raised, once it was told everything.
    pub(crate) async fn heard(&self) -> Option<PyErr> {
        let last = lock(&self.last).take();
        if let Some(last) = last {
            // A loop that was closed drops what it was handed.
            let _ = last.await;
        }
        lock(&self.raised).take()
    }
}

/// A call of the callback, made by the event loop.
#[pyclass(frozen, module = "vitalwire", name = "_Told")]
struct Told {
    telling: Arc<Telling>,
    told: Mutex<Option<oneshot::Sender<()>>>,
}

#[pymethods]
impl Told {
    fn __call__(&self, progress: Bound<'_, PyAny>) {
        // After it has raised it is not called again.
        let raised = lock(&self.telling.raised).is_some();
        if !raised && let Err(error) = self.telling.call(&progress) {
            self.telling.fail(error);
        }
        lock(&self.told).take();
    }
}

/// The lock is never held while Python runs.
fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}
