//! Progress callbacks of waits, on the waiting thread.

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

/// Rule in the error about an async function.
const PLAIN: &str = "must be a plain function, not an async one";

fn wrong(rule: &str) -> PyErr {
    PyTypeError::new_err(format!("argument 'on_progress': {rule}"))
}

/// A progress callback and its first exception.
pub(crate) struct Telling {
    callback: Py<PyAny>,
    style: Style,
    /// Event loop that calls it. `None` for the waiting thread.
    event_loop: Option<Py<PyAny>>,
    /// First exception of the callback.
    raised: Mutex<Option<PyErr>>,
    /// Cancels the call after an exception.
    stop: CancelToken,
    /// Held by calls that are scheduled in the event loop.
    last: Mutex<Option<oneshot::Receiver<()>>>,
}

impl Telling {
    /// Wraps a plain function. An exception in it cancels `stop`.
    pub(crate) fn new(callback: &Bound<'_, PyAny>, style: Style, stop: CancelToken) -> PyResult<Self> {
        if !callback.is_callable() {
            return Err(wrong("a function"));
        }
        // Its coroutine would never run.
        let inspect = callback.py().import("inspect")?;
        if inspect.call_method1("iscoroutinefunction", (callback,))?.is_truthy()? {
            return Err(wrong(PLAIN));
        }
        let callback = callback.clone().unbind();
        Ok(Self { callback, style, event_loop: None, raised: Mutex::default(), stop, last: Mutex::default() })
    }

    /// Remembers the event loop of this thread, for an async client.
    pub(crate) fn begin(mut self) -> Result<Arc<Self>, Failure> {
        if self.style == Style::Async {
            let running = Python::attach(|py| py.import("asyncio")?.call_method0("get_running_loop").map(Bound::unbind))?;
            self.event_loop = Some(running);
        }
        Ok(Arc::new(self))
    }

    /// Calls the callback, or schedules it in the event loop.
    pub(crate) fn tell<T: PyClass + Into<PyClassInitializer<T>> + Send>(self: &Arc<Self>, progress: T) {
        let (done, last) = oneshot::channel();
        *lock(&self.last) = Some(last);
        let call = ProgressCall { telling: Arc::clone(self), done: Mutex::new(Some(done)) };
        let hand_over = move |py: Python<'_>| {
            let telling = Arc::clone(&call.telling);
            if let Err(error) = telling.hand_over(py, call, progress) {
                telling.fail(error);
            }
            Ok(())
        };
        if self.event_loop.is_none() {
            runtime::run(hand_over);
        } else {
            // Skipped while the interpreter shuts down.
            let _ = Python::try_attach(hand_over);
        }
    }

    fn hand_over<T: PyClass + Into<PyClassInitializer<T>>>(&self, py: Python<'_>, call: ProgressCall, progress: T) -> PyResult<()> {
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
        // Closing it avoids the warning about a coroutine that was never awaited.
        if answer.hasattr("close")? {
            answer.call_method0("close")?;
        }
        Err(wrong(PLAIN))
    }

    /// Cancels the call.
    fn fail(&self, error: PyErr) {
        lock(&self.raised).get_or_insert(error);
        self.stop.cancel();
    }

    /// Waits for scheduled calls, then returns the first exception.
    pub(crate) async fn heard(&self) -> Option<PyErr> {
        let last = lock(&self.last).take();
        if let Some(last) = last {
            // A closed loop drops its callbacks.
            let _ = last.await;
        }
        lock(&self.raised).take()
    }
}

/// A scheduled call of the callback.
#[pyclass(frozen, module = "vitalwire", name = "_ProgressCall")]
struct ProgressCall {
    telling: Arc<Telling>,
    done: Mutex<Option<oneshot::Sender<()>>>,
}

#[pymethods]
impl ProgressCall {
    fn __call__(&self, progress: Bound<'_, PyAny>) {
        // Not called again after an exception.
        let raised = lock(&self.telling.raised).is_some();
        if !raised && let Err(error) = self.telling.call(&progress) {
            self.telling.fail(error);
        }
        lock(&self.done).take();
    }
}

/// Locks a mutex. Locks are never held while Python code runs.
fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}
