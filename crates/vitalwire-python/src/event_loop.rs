//! How calls that end on the runtime's threads wake the event loop's tasks: many at a time, with one wake-up.
//!
//! Where a loop watches sockets, those threads write a byte to one and never wait for the interpreter, which a busy loop holds for
//! milliseconds at a time. Elsewhere they call `call_soon_threadsafe`.

#[cfg(unix)]
mod bell;

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

/// Makes the result of a call on the loop's thread, or raises.
pub(crate) type Outcome = Box<dyn FnOnce(Python<'_>) -> PyResult<Py<PyAny>> + Send>;

/// A call that a task of a loop waits for.
pub(crate) struct Flight {
    outcome: Mutex<Option<Outcome>>,
    /// The loop's future that the task waits for.
    future: Py<PyAny>,
    queue: Arc<Queue>,
}

/// Calls that have ended since their loop was last woken.
struct Queue {
    landed: Mutex<Vec<Arc<Flight>>>,
    /// Whether the loop is closed, and nobody hears of anything any more. Set with `landed` locked.
    closed: AtomicBool,
    /// Tells what is on its way that it is.
    closing: Notify,
    #[cfg(unix)]
    bell: Option<bell::Bell>,
}

thread_local! {
    /// The loop that last ran on this thread, and its queue.
    static LAST: RefCell<Option<(Py<PyWeakrefReference>, Arc<Queue>)>> = const { RefCell::new(None) };
}

tokio::task_local! {
    /// The flight of the call that a task of the runtime makes.
    static CURRENT: Arc<Flight>;
}

/// A flight of the loop that runs on this thread, and the iterator of what its task waits for.
pub(crate) fn take_off(py: Python<'_>) -> PyResult<(Arc<Flight>, Py<PyAny>)> {
    static RUNNING: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let running = RUNNING.import(py, "asyncio", "get_running_loop")?;
    let running = running.call0().map_err(|_| {
        PyRuntimeError::new_err("no running event loop: calls of an AsyncClient are awaited inside asyncio; a Client needs no loop")
    })?;
    let future = running.call_method0(pyo3::intern!(py, "create_future"))?;
    let waiting = future.call_method0(pyo3::intern!(py, "__await__"))?.unbind();
    let flight = Flight { outcome: Mutex::new(None), future: future.unbind(), queue: Queue::of(&running)? };
    Ok((Arc::new(flight), waiting))
}

impl Flight {
    /// Does the work of a call. `None` where its loop was closed, which drops the work.
    pub(crate) async fn carry<T>(self: Arc<Self>, work: impl Future<Output = T>) -> Option<T> {
        let queue = Arc::clone(&self.queue);
        // Hears what comes from here on.
        let closing = queue.closing.notified();
        if queue.is_closed() {
            return None;
        }
        match future::select(pin!(CURRENT.scope(self, work)), pin!(closing)).await {
            Either::Left((done, _)) => Some(done),
            Either::Right(_) => None,
        }
    }

    /// The flight of the call that this task makes.
    pub(crate) fn current() -> Option<Arc<Self>> {
        CURRENT.try_with(Arc::clone).ok()
    }

    /// The loop.
    pub(crate) fn event_loop<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.future.bind(py).call_method0(pyo3::intern!(py, "get_loop"))
    }

    /// Hands over how the call ended, and wakes the loop unless it was woken for an earlier one that it has not seen yet.
    pub(crate) fn land(self: Arc<Self>, outcome: Outcome) {
        *self.outcome.lock().unwrap_or_else(PoisonError::into_inner) = Some(outcome);
        let queue = Arc::clone(&self.queue);
        let first = {
            let mut landed = queue.landed.lock().unwrap_or_else(PoisonError::into_inner);
            if queue.is_closed() {
                return;
            }
            landed.push(Arc::clone(&self));
            landed.len() == 1
        };
        if first {
            self.wake();
        }
    }

    fn wake(&self) {
        #[cfg(unix)]
        if let Some(bell) = &self.queue.bell {
            bell.ring();
            return;
        }
        // Nothing is woken in an interpreter that is going down.
        let _ = Python::try_attach(|py| -> PyResult<()> {
            // A closed loop takes nothing, which ends the landing, and with it the queue.
            let landing = Landing::of(&self.queue, Until::Called);
            self.event_loop(py)?.call_method1(pyo3::intern!(py, "call_soon_threadsafe"), (landing,)).map(drop)
        });
    }

    /// Tells the task that waits; one that was cancelled waits no more.
    fn touch_down(&self, py: Python<'_>) -> PyResult<()> {
        let future = self.future.bind(py);
        if !future.call_method0(pyo3::intern!(py, "done"))?.is_truthy()? {
            future.call_method1(pyo3::intern!(py, "set_result"), (py.None(),))?;
        }
        Ok(())
    }

    /// For the collector of cycles, by the coroutine, once nobody else has this: the runtime's work and the queue may let go of it at any
    /// time, but none takes it up again.
    pub(crate) fn visit(self: &Arc<Self>, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        if Arc::strong_count(self) == 1 { visit.call(&self.future) } else { Ok(()) }
    }

    /// How the call ended, if it has.
    pub(crate) fn outcome(&self) -> Option<Outcome> {
        self.outcome.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl Queue {
    /// The queue of a loop that runs on this thread.
    fn of(running: &Bound<'_, PyAny>) -> PyResult<Arc<Self>> {
        static QUEUES: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let py = running.py();
        let last = LAST.with_borrow(|last| last.as_ref().map(|(of, queue)| (of.clone_ref(py), Arc::clone(queue))));
        if let Some((of, queue)) = last
            && of.bind(py).upgrade().is_some_and(|of| of.is(running))
            && !queue.is_closed()
        {
            return Ok(queue);
        }
        // Loops that take turns on a thread, or threads with loops of their own.
        let queues = QUEUES.get_or_try_init(py, || py.import("weakref")?.call_method0("WeakKeyDictionary").map(Bound::unbind))?.bind(py);
        let known = queues.call_method1("get", (running,))?;
        let queue = match known.cast::<Landing>() {
            // A loop that runs is not closed, whatever took away what it was handed.
            Ok(landing) if !landing.get().queue.is_closed() => Arc::clone(&landing.get().queue),
            _ => {
                let queue = Self::new(running)?;
                queues.set_item(running, Landing::of(&queue, Until::Never))?;
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

        let made = |bell| Self { landed: Mutex::default(), closed: AtomicBool::new(false), closing: Notify::new(), bell };
        let queue = Arc::new(made(bell::Bell::new()));
        let Some(bell) = &queue.bell else { return Ok(queue) };
        match bell.watch(running, Landing::of(&queue, Until::Closed)) {
            Ok(()) => Ok(queue),
            Err(raised) if raised.is_instance_of::<PyException>(running.py()) => Ok(Arc::new(made(None))),
            Err(raised) => Err(raised),
        }
    }

    #[cfg(not(unix))]
    #[allow(clippy::unnecessary_wraps, reason = "as elsewhere")]
    fn new(_: &Bound<'_, PyAny>) -> PyResult<Arc<Self>> {
        Ok(Arc::new(Self { landed: Mutex::default(), closed: AtomicBool::new(false), closing: Notify::new() }))
    }

    fn take(&self) -> Vec<Arc<Flight>> {
        mem::take(&mut *self.landed.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn is_closed(&self) -> bool {
        self.closed.load(Ordering::SeqCst)
    }

    /// Gives up what is on its way, and what has come and was not heard: both keep the tasks that wait, and these the loop.
    fn close(&self) {
        let unheard = {
            let mut landed = self.landed.lock().unwrap_or_else(PoisonError::into_inner);
            self.closed.store(true, Ordering::SeqCst);
            mem::take(&mut *landed)
        };
        self.closing.notify_waiters();
        drop(unheard);
    }
}

/// How long a loop keeps what it was handed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Until {
    /// Until it is closed.
    Closed,
    /// Until it has called it; earlier only if it is closed.
    Called,
    /// It was not handed to it.
    Never,
}

/// Runs on the loop's thread: tells the tasks whose calls have ended.
#[pyclass(frozen, module = "vitalwire", name = "_Landing")]
pub(crate) struct Landing {
    queue: Arc<Queue>,
    until: Until,
    called: AtomicBool,
    process: u32,
}

impl Landing {
    fn of(queue: &Arc<Queue>, until: Until) -> Self {
        Self { queue: Arc::clone(queue), until, called: AtomicBool::new(false), process: std::process::id() }
    }
}

impl Drop for Landing {
    /// A loop that is closed says so to nobody, but lets go of what it was handed.
    fn drop(&mut self) {
        let closed = match self.until {
            Until::Closed => true,
            Until::Called => !*self.called.get_mut(),
            Until::Never => false,
        };
        // In a forked child the locks may be held by threads that it does not have.
        if closed && self.process == std::process::id() {
            self.queue.close();
        }
    }
}

#[pymethods]
impl Landing {
    fn __call__(&self, py: Python<'_>) -> PyResult<()> {
        self.called.store(true, Ordering::SeqCst);
        #[cfg(unix)]
        if let Some(bell) = &self.queue.bell {
            bell.hush();
        }
        // All of them: what one of them raises, such as Ctrl-C in between, takes nobody else's result.
        self.queue.take().iter().map(|flight| flight.touch_down(py)).fold(Ok(()), Result::and)
    }
}
