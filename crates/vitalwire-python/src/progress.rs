//! Progress callbacks of waits, on the waiting thread.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pyo3::PyClass;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pyclass_init::PyClassInitializer;
use tokio::sync::oneshot;
use vitalwire::client::CancelToken;

use crate::failure::Failure;
use crate::runtime::CallMode;
use crate::{callable, runtime};

/// Rule that the error about an async callback states.
const NOT_ASYNC: &str = "must be a plain function, not an async one";

fn invalid_callback(rule: &str) -> PyErr {
    PyTypeError::new_err(format!("argument 'on_progress': {rule}"))
}

/// A progress callback and its first exception.
pub(crate) struct ProgressCallback {
    callback: Py<PyAny>,
    mode: CallMode,
    /// Event loop that calls the callback. `None` if the waiting thread calls it.
    event_loop: Option<Py<PyAny>>,
    /// First exception of the callback.
    raised: Mutex<Option<PyErr>>,
    /// Cancels the call after an exception.
    stop: CancelToken,
    /// Completes when the last scheduled call has run or was dropped.
    last: Mutex<Option<oneshot::Receiver<()>>>,
}

impl ProgressCallback {
    /// Wraps a plain function. An exception of the function cancels `stop`.
    pub(crate) fn new(callback: &Bound<'_, PyAny>, mode: CallMode, stop: CancelToken) -> PyResult<Self> {
        if !callback.is_callable() {
            return Err(invalid_callback("must be a function"));
        }
        // Nobody would await the coroutine of an async function.
        let inspect = callback.py().import("inspect")?;
        if inspect.call_method1("iscoroutinefunction", (callback,))?.is_truthy()? {
            return Err(invalid_callback(NOT_ASYNC));
        }
        let callback = callback.clone().unbind();
        Ok(Self { callback, mode, event_loop: None, raised: Mutex::default(), stop, last: Mutex::default() })
    }

    /// Remembers the event loop of this thread, for an async client.
    pub(crate) fn begin(mut self) -> Result<Arc<Self>, Failure> {
        if self.mode == CallMode::Async {
            let running = Python::attach(|py| py.import("asyncio")?.call_method0("get_running_loop").map(Bound::unbind))?;
            self.event_loop = Some(running);
        }
        Ok(Arc::new(self))
    }

    /// Calls the callback, or schedules it in the event loop.
    pub(crate) fn report<T: PyClass + Into<PyClassInitializer<T>> + Send>(self: &Arc<Self>, progress: T) {
        let (done, last) = oneshot::channel();
        *lock(&self.last) = Some(last);
        let call = ProgressCall { owner: Arc::clone(self), done: Mutex::new(Some(done)) };
        let deliver = move |py: Python<'_>| {
            let owner = Arc::clone(&call.owner);
            if let Err(error) = owner.deliver(py, call, progress) {
                owner.fail(error);
            }
            Ok(())
        };
        if self.event_loop.is_none() {
            runtime::run(deliver);
        } else {
            // `try_attach` skips this while the interpreter shuts down.
            let _ = Python::try_attach(deliver);
        }
    }

    fn deliver<T: PyClass + Into<PyClassInitializer<T>>>(&self, py: Python<'_>, call: ProgressCall, progress: T) -> PyResult<()> {
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
        let returned = self.callback.bind(progress.py()).call1((progress,))?;
        if !callable::is_awaitable(&returned)? {
            return Ok(());
        }
        // Python would warn about a coroutine that was never awaited.
        if returned.hasattr("close")? {
            returned.call_method0("close")?;
        }
        Err(invalid_callback(NOT_ASYNC))
    }

    /// Stores the first exception and cancels the call.
    fn fail(&self, error: PyErr) {
        lock(&self.raised).get_or_insert(error);
        self.stop.cancel();
    }

    /// Waits for scheduled calls, then returns the first exception.
    pub(crate) async fn finish(&self) -> Option<PyErr> {
        let last = lock(&self.last).take();
        if let Some(last) = last {
            // The wait also ends if the loop is closed, because a closed loop drops its callbacks.
            let _ = last.await;
        }
        lock(&self.raised).take()
    }
}

/// A scheduled call of the callback.
#[pyclass(frozen, module = "vitalwire", name = "_ProgressCall")]
struct ProgressCall {
    owner: Arc<ProgressCallback>,
    done: Mutex<Option<oneshot::Sender<()>>>,
}

#[pymethods]
impl ProgressCall {
    fn __call__(&self, progress: Bound<'_, PyAny>) {
        // After an exception, the callback is not called again.
        let raised = lock(&self.owner.raised).is_some();
        if !raised && let Err(error) = self.owner.call(&progress) {
            self.owner.fail(error);
        }
        lock(&self.done).take();
    }
}

/// Locks a mutex. Locks are never held while Python code runs.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
