//! How calls that end on the runtime's threads wake the event loop's tasks: many at a time, with one wake-up.
//!
//! Where a loop watches sockets, those threads write a byte to one and never wait for the interpreter, which a busy loop holds for
//! milliseconds at a time. Elsewhere they call `call_soon_threadsafe`.

#[cfg(unix)]
mod bell;

use std::cell::RefCell;
use std::future::Future;
use std::mem;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyWeakrefMethods, PyWeakrefReference};

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
    /// Does the work of a call.
    pub(crate) async fn carry<T>(self: Arc<Self>, work: impl Future<Output = T>) -> T {
        CURRENT.scope(self, work).await
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
        let _ = Python::try_attach(|py| {
            let landing = Landing { queue: Arc::clone(&self.queue) };
            let told =
                self.event_loop(py).and_then(|event_loop| event_loop.call_method1(pyo3::intern!(py, "call_soon_threadsafe"), (landing,)));
            // A closed loop takes nothing, and nobody waits in it.
            if told.is_err() {
                self.queue.take();
            }
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
        {
            return Ok(queue);
        }
        // Loops that take turns on a thread, or threads with loops of their own.
        let queues = QUEUES.get_or_try_init(py, || py.import("weakref")?.call_method0("WeakKeyDictionary").map(Bound::unbind))?.bind(py);
        let known = queues.call_method1("get", (running,))?;
        let queue = match known.cast::<Landing>() {
            Ok(landing) => Arc::clone(&landing.get().queue),
            Err(_) => {
                let queue = Self::new(running)?;
                queues.set_item(running, Landing { queue: Arc::clone(&queue) })?;
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

        let queue = Arc::new(Self { landed: Mutex::default(), bell: bell::Bell::new() });
        let Some(bell) = &queue.bell else { return Ok(queue) };
        match bell.watch(running, Landing { queue: Arc::clone(&queue) }) {
            Ok(()) => Ok(queue),
            Err(raised) if raised.is_instance_of::<PyException>(running.py()) => {
                Ok(Arc::new(Self { landed: Mutex::default(), bell: None }))
            }
            Err(raised) => Err(raised),
        }
    }

    #[cfg(not(unix))]
    #[allow(clippy::unnecessary_wraps, reason = "as elsewhere")]
    fn new(_: &Bound<'_, PyAny>) -> PyResult<Arc<Self>> {
        Ok(Arc::new(Self { landed: Mutex::default() }))
    }

    fn take(&self) -> Vec<Arc<Flight>> {
        mem::take(&mut *self.landed.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Runs on the loop's thread: tells the tasks whose calls have ended.
#[pyclass(frozen, module = "vitalwire", name = "_Landing")]
pub(crate) struct Landing {
    queue: Arc<Queue>,
}

#[pymethods]
impl Landing {
    fn __call__(&self, py: Python<'_>) -> PyResult<()> {
        #[cfg(unix)]
        if let Some(bell) = &self.queue.bell {
            bell.hush();
        }
        // All of them: what one of them raises, such as Ctrl-C in between, takes nobody else's result.
        self.queue.take().iter().map(|flight| flight.touch_down(py)).fold(Ok(()), Result::and)
    }
}
