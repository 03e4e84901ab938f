//! How calls that end on the runtime's threads wake the event loop's tasks: many at a time, with one wake-up.

use std::cell::RefCell;
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
#[derive(Default)]
struct Queue(Mutex<Vec<Arc<Flight>>>);

thread_local! {
    /// The loop that last ran on this thread, and its queue.
    static LAST: RefCell<Option<(Py<PyWeakrefReference>, Arc<Queue>)>> = const { RefCell::new(None) };
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
    let flight = Flight { outcome: Mutex::new(None), future: future.unbind(), queue: queue(&running)? };
    Ok((Arc::new(flight), waiting))
}

/// The queue of a loop that runs on this thread.
fn queue(running: &Bound<'_, PyAny>) -> PyResult<Arc<Queue>> {
    LAST.with_borrow_mut(|last| {
        if let Some((of, queue)) = last
            && of.bind(running.py()).upgrade().is_some_and(|of| of.is(running))
        {
            return Ok(Arc::clone(queue));
        }
        let queue = Arc::new(Queue::default());
        *last = Some((PyWeakrefReference::new(running)?.unbind(), Arc::clone(&queue)));
        Ok(queue)
    })
}

impl Flight {
    /// Hands over how the call ended, and wakes the loop unless it was woken for an earlier one that it has not seen yet.
    pub(crate) fn land(self: Arc<Self>, outcome: Outcome) {
        *self.outcome.lock().unwrap_or_else(PoisonError::into_inner) = Some(outcome);
        let first = {
            let mut landed = self.queue.0.lock().unwrap_or_else(PoisonError::into_inner);
            landed.push(Arc::clone(&self));
            landed.len() == 1
        };
        if first {
            // Nothing is woken in an interpreter that is going down.
            let _ = Python::try_attach(|py| {
                // A closed loop takes nothing, and nobody waits in it.
                if self.wake(py).is_err() {
                    self.queue.take();
                }
            });
        }
    }

    fn wake(&self, py: Python<'_>) -> PyResult<()> {
        let running = self.future.bind(py).call_method0(pyo3::intern!(py, "get_loop"))?;
        running.call_method1(pyo3::intern!(py, "call_soon_threadsafe"), (Landing(Arc::clone(&self.queue)),)).map(drop)
    }

    /// How the call ended, if it has.
    pub(crate) fn outcome(&self) -> Option<Outcome> {
        self.outcome.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl Queue {
    fn take(&self) -> Vec<Arc<Flight>> {
        mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Runs on the loop's thread: tells the tasks whose calls have ended.
#[pyclass(frozen, module = "vitalwire", name = "_Landing")]
pub(crate) struct Landing(Arc<Queue>);

#[pymethods]
impl Landing {
    fn __call__(&self, py: Python<'_>) -> PyResult<()> {
        for flight in self.0.take() {
            let future = flight.future.bind(py);
            // A task that was cancelled waits no more.
            if !future.call_method0(pyo3::intern!(py, "done"))?.is_truthy()? {
                future.call_method1(pyo3::intern!(py, "set_result"), (py.None(),))?;
            }
        }
        Ok(())
    }
}
