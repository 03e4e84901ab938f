//! Completion of calls in an event loop: threads of the runtime wake the loop, which completes many calls per wake-up.
//!
//! If the loop can watch a socket, these threads wake the loop by writing a byte. They never wait for the interpreter, which a busy loop
//! may hold for milliseconds. For other loops, they use `call_soon_threadsafe`.

#[cfg(unix)]
mod wake_socket;

use std::cell::RefCell;
use std::future::Future;
use std::mem;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::future::{self, Either};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyWeakrefMethods, PyWeakrefReference};
use pyo3::{PyTraverseError, PyVisit};
use tokio::sync::Notify;

/// Converts the result of a call on the thread of the loop.
pub(crate) type Outcome = Box<dyn FnOnce(Python<'_>) -> PyResult<Py<PyAny>> + Send>;

/// A call in flight for which a task of the loop waits.
pub(crate) struct PendingCall {
    outcome: Mutex<Option<Outcome>>,
    /// Future of the loop for which the task waits.
    future: Py<PyAny>,
    queue: Arc<Queue>,
}

/// Queue of completed calls that their loop has not processed yet.
struct Queue {
    completed: Mutex<Vec<Arc<PendingCall>>>,
    /// Whether the loop is closed. Set while `completed` is locked.
    closed: AtomicBool,
    /// Notifies calls in flight that the loop is closed.
    closing: Notify,
    #[cfg(unix)]
    wake_socket: Option<wake_socket::WakeSocket>,
}

thread_local! {
    /// Event loop that this thread used last, with the queue of that loop.
    static LAST: RefCell<Option<(Py<PyWeakrefReference>, Arc<Queue>)>> = const { RefCell::new(None) };
}

tokio::task_local! {
    /// Call that the current task of the runtime makes.
    static CURRENT: Arc<PendingCall>;
}

/// Creates a pending call in this thread's event loop. Also returns an iterator over the future for which the task waits.
pub(crate) fn register_call(py: Python<'_>) -> PyResult<(Arc<PendingCall>, Py<PyAny>)> {
    static RUNNING: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let running = RUNNING.import(py, "asyncio", "get_running_loop")?;
    let running = running.call0().map_err(|_| {
        PyRuntimeError::new_err("no running event loop: calls of an AsyncClient are awaited inside asyncio; a Client needs no loop")
    })?;
    let future = running.call_method0(pyo3::intern!(py, "create_future"))?;
    let waiting = future.call_method0(pyo3::intern!(py, "__await__"))?.unbind();
    let pending = PendingCall { outcome: Mutex::new(None), future: future.unbind(), queue: Queue::for_loop(&running)? };
    Ok((Arc::new(pending), waiting))
}

impl PendingCall {
    /// Runs the work of a call. Returns `None` and drops the work if the loop is closed.
    pub(crate) async fn run<T>(self: Arc<Self>, work: impl Future<Output = T>) -> Option<T> {
        let queue = Arc::clone(&self.queue);
        // Created before the check below, so that no notification is missed in between.
        let closing = queue.closing.notified();
        if queue.is_closed() {
            return None;
        }
        match future::select(pin!(CURRENT.scope(self, work)), pin!(closing)).await {
            Either::Left((done, _)) => Some(done),
            Either::Right(_) => None,
        }
    }

    /// Returns the call of the current task.
    pub(crate) fn current() -> Option<Arc<Self>> {
        CURRENT.try_with(Arc::clone).ok()
    }

    pub(crate) fn event_loop<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.future.bind(py).call_method0(pyo3::intern!(py, "get_loop"))
    }

    /// Sets the outcome and wakes the loop, unless a wake-up is already pending.
    pub(crate) fn complete(self: Arc<Self>, outcome: Outcome) {
        *self.outcome.lock().unwrap_or_else(PoisonError::into_inner) = Some(outcome);
        let queue = Arc::clone(&self.queue);
        let first = {
            let mut completed = queue.completed.lock().unwrap_or_else(PoisonError::into_inner);
            if queue.is_closed() {
                return;
            }
            completed.push(Arc::clone(&self));
            completed.len() == 1
        };
        if first {
            self.wake();
        }
    }

    fn wake(&self) {
        #[cfg(unix)]
        if let Some(wake_socket) = &self.queue.wake_socket {
            wake_socket.wake();
            return;
        }
        // `try_attach` skips this while the interpreter shuts down.
        let _ = Python::try_attach(|py| -> PyResult<()> {
            // A closed loop rejects the callback, which is then dropped and closes the queue.
            let callback = CompletionCallback::new(&self.queue, CallbackLifetime::Called);
            self.event_loop(py)?.call_method1(pyo3::intern!(py, "call_soon_threadsafe"), (callback,)).map(drop)
        });
    }

    /// Wakes the waiting task, unless it was cancelled.
    fn wake_task(&self, py: Python<'_>) -> PyResult<()> {
        let future = self.future.bind(py);
        if !future.call_method0(pyo3::intern!(py, "done"))?.is_truthy()? {
            future.call_method1(pyo3::intern!(py, "set_result"), (py.None(),))?;
        }
        Ok(())
    }

    /// Visits the future for the garbage collector, if the coroutine holds the only reference to this call. The runtime and the queue may
    /// drop their references at any time, but never take new ones.
    pub(crate) fn visit(self: &Arc<Self>, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        if Arc::strong_count(self) == 1 { visit.call(&self.future) } else { Ok(()) }
    }

    /// Takes the outcome, if the call has completed.
    pub(crate) fn outcome(&self) -> Option<Outcome> {
        self.outcome.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl Queue {
    /// Returns the queue of this thread's loop.
    fn for_loop(running: &Bound<'_, PyAny>) -> PyResult<Arc<Self>> {
        static QUEUES: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let py = running.py();
        let last = LAST.with_borrow(|last| last.as_ref().map(|(known, queue)| (known.clone_ref(py), Arc::clone(queue))));
        if let Some((known, queue)) = last
            && known.bind(py).upgrade().is_some_and(|known| known.is(running))
            && !queue.is_closed()
        {
            return Ok(queue);
        }
        // The queue depends on the loop: several loops may alternate on a thread, and each thread may have its own loop.
        let queues = QUEUES.get_or_try_init(py, || py.import("weakref")?.call_method0("WeakKeyDictionary").map(Bound::unbind))?.bind(py);
        let known = queues.call_method1("get", (running,))?;
        let queue = match known.cast::<CompletionCallback>() {
            // A running loop is not closed, even if its callback was dropped.
            Ok(callback) if !callback.get().queue.is_closed() => Arc::clone(&callback.get().queue),
            _ => {
                let queue = Self::new(running)?;
                queues.set_item(running, CompletionCallback::new(&queue, CallbackLifetime::Never))?;
                queue
            }
        };
        let last = (PyWeakrefReference::new(running)?.unbind(), Arc::clone(&queue));
        drop(LAST.replace(Some(last)));
        Ok(queue)
    }

    #[cfg(unix)]
    fn new(running: &Bound<'_, PyAny>) -> PyResult<Arc<Self>> {
        use pyo3::exceptions::PyException;

        let made = |wake_socket| Self { completed: Mutex::default(), closed: AtomicBool::new(false), closing: Notify::new(), wake_socket };
        let queue = Arc::new(made(wake_socket::WakeSocket::new()));
        let Some(wake_socket) = &queue.wake_socket else { return Ok(queue) };
        match wake_socket.watch(running, CompletionCallback::new(&queue, CallbackLifetime::Closed)) {
            Ok(()) => Ok(queue),
            Err(raised) if raised.is_instance_of::<PyException>(running.py()) => Ok(Arc::new(made(None))),
            Err(raised) => Err(raised),
        }
    }

    #[cfg(not(unix))]
    #[allow(clippy::unnecessary_wraps, reason = "as elsewhere")]
    fn new(_: &Bound<'_, PyAny>) -> PyResult<Arc<Self>> {
        Ok(Arc::new(Self { completed: Mutex::default(), closed: AtomicBool::new(false), closing: Notify::new() }))
    }

    fn take(&self) -> Vec<Arc<PendingCall>> {
        mem::take(&mut *self.completed.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn is_closed(&self) -> bool {
        self.closed.load(Ordering::SeqCst)
    }

    /// Drops calls in flight and unprocessed completions. They keep their tasks alive, and the tasks keep the loop alive.
    fn close(&self) {
        let unprocessed = {
            let mut completed = self.completed.lock().unwrap_or_else(PoisonError::into_inner);
            self.closed.store(true, Ordering::SeqCst);
            mem::take(&mut *completed)
        };
        self.closing.notify_waiters();
        drop(unprocessed);
    }
}

/// Lifetime of a callback in a loop.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CallbackLifetime {
    /// Until the loop is closed.
    Closed,
    /// Until the loop has called it or is closed.
    Called,
    /// Not registered with a loop.
    Never,
}

/// Callback that wakes the tasks of completed calls, on the thread of the loop.
#[pyclass(frozen, module = "vitalwire", name = "_Completion")]
pub(crate) struct CompletionCallback {
    queue: Arc<Queue>,
    lifetime: CallbackLifetime,
    called: AtomicBool,
    process: u32,
}

impl CompletionCallback {
    fn new(queue: &Arc<Queue>, lifetime: CallbackLifetime) -> Self {
        Self { queue: Arc::clone(queue), lifetime, called: AtomicBool::new(false), process: std::process::id() }
    }
}

impl Drop for CompletionCallback {
    /// Detects that the loop was closed. A closed loop sends no notification, but drops its callbacks.
    fn drop(&mut self) {
        let closed = match self.lifetime {
            CallbackLifetime::Closed => true,
            CallbackLifetime::Called => !*self.called.get_mut(),
            CallbackLifetime::Never => false,
        };
        // In a forked child, threads that no longer exist may hold the locks.
        if closed && self.process == std::process::id() {
            self.queue.close();
        }
    }
}

#[pymethods]
impl CompletionCallback {
    fn __call__(&self, py: Python<'_>) -> PyResult<()> {
        self.called.store(true, Ordering::SeqCst);
        #[cfg(unix)]
        if let Some(wake_socket) = &self.queue.wake_socket {
            wake_socket.drain();
        }
        // Wakes all tasks, even if one raises an exception such as Ctrl-C.
        self.queue.take().iter().map(|pending| pending.wake_task(py)).fold(Ok(()), Result::and)
    }
}
