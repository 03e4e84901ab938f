//! Callables of an `AsyncClient`: called on a thread that may wait, and what they give awaited in the event loop of the call.

use std::mem;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::types::PyDict;
use tokio::sync::oneshot;
use vitalwire::client::ProviderContext;

use crate::event_loop::Flight;
use crate::{errors, provider_context};

/// Makes a value of what a callable gave.
type Read<T> = fn(&Bound<'_, PyAny>) -> PyResult<T>;

/// Calls a callable, which may be async. `None` where nobody can be asked: no loop, or an interpreter that is going down.
pub(crate) async fn call<T: Send + 'static>(callable: Arc<Py<PyAny>>, argument: &'static str, read: Read<T>) -> Option<PyResult<T>> {
    let flight = Flight::current();
    let awaited = flight.is_some();
    // On a thread for such things: it may take its time, and neither the loop nor the runtime waits.
    let asked = tokio::task::spawn_blocking(move || {
        Python::try_attach(|py| {
            let given = callable.bind(py).call1((argument,))?;
            Ok(if awaited && is_awaitable(&given)? {
                Given::Awaitable(Unawaited(Some(given.unbind())))
            } else {
                Given::Value(read(&given)?)
            })
        })
    });
    match (asked.await.ok()??, flight) {
        (Ok(Given::Value(value)), _) => Some(Ok(value)),
        (Ok(Given::Awaitable(mut unawaited)), Some(flight)) => in_loop(&flight, unawaited.0.take()?, read).await,
        (Ok(Given::Awaitable(_)), None) => None,
        (Err(raised), _) => Some(Err(raised)),
    }
}

/// Whether it is awaited: a coroutine, a future or task, or another awaitable.
pub(crate) fn is_awaitable(given: &Bound<'_, PyAny>) -> PyResult<bool> {
    given.py().import("inspect")?.call_method1("isawaitable", (given,))?.is_truthy()
}

enum Given<T> {
    Value(T),
    Awaitable(Unawaited),
}

/// An awaitable that is closed unless it is taken: the call may have ended meanwhile, and Python warns of coroutines that never ran.
struct Unawaited(Option<Py<PyAny>>);

impl Drop for Unawaited {
    fn drop(&mut self) {
        if let Some(awaitable) = self.0.take() {
            // What is no coroutine cannot be closed, and need not be.
            errors::aside(|py| awaitable.call_method0(py, "close").map_or((), drop));
        }
    }
}

/// Awaits in the loop of a call. Dropped before it ends, it is cancelled there.
async fn in_loop<T: Send + 'static>(flight: &Arc<Flight>, awaitable: Py<PyAny>, read: Read<T>) -> Option<PyResult<T>> {
    let (sender, receiver) = oneshot::channel();
    let mut sender = Some(sender);
    let done = move |result: PyResult<&Bound<'_, PyAny>>| {
        if let Some(sender) = sender.take() {
            // The call may have ended meanwhile.
            let _ = sender.send(result.and_then(read));
        }
    };
    let task = Task { state: Arc::new(Mutex::new(State::New(awaitable, Box::new(done)))), flight: Arc::clone(flight) };
    task.tell(Order::Start(ProviderContext::current()));
    receiver.await.ok()
}

/// What is told to the loop.
enum Order {
    Start(Option<ProviderContext>),
    Cancel,
}

type Done = Box<dyn FnMut(PyResult<&Bound<'_, PyAny>>) + Send>;

enum State {
    New(Py<PyAny>, Done),
    Running(Py<PyAny>),
    /// A future or task that was made elsewhere, where others may wait for it too: not ours to cancel.
    Watched,
    Ended,
}

/// An awaitable in a loop, cancelled when this is dropped.
struct Task {
    state: Arc<Mutex<State>>,
    flight: Arc<Flight>,
}

impl Task {
    fn tell(&self, order: Order) {
        errors::aside(|py| {
            let told = self.flight.event_loop(py).and_then(|event_loop| {
                let work = Work { state: Arc::clone(&self.state), order };
                event_loop.call_method1(pyo3::intern!(py, "call_soon_threadsafe"), (work,))
            });
            if told.is_err() {
                // The loop is closed: nobody waits there, and an awaitable that never ran is closed without a warning.
                end(py, &self.state);
            }
        });
    }
}

impl Drop for Task {
    fn drop(&mut self) {
        if !matches!(*lock(&self.state), State::Ended) {
            self.tell(Order::Cancel);
        }
    }
}

fn lock(state: &Mutex<State>) -> std::sync::MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends an awaitable; if it never ran, without the warning that it did not.
fn end(py: Python<'_>, state: &Mutex<State>) {
    let before = mem::replace(&mut *lock(state), State::Ended);
    let _ = match before {
        State::New(awaitable, _) => awaitable.call_method0(py, "close"),
        State::Running(task) => task.call_method0(py, "cancel"),
        State::Watched | State::Ended => return,
    };
}

/// What runs on the loop's thread.
#[pyclass(frozen, module = "vitalwire", name = "_Work")]
pub(crate) struct Work {
    state: Arc<Mutex<State>>,
    order: Order,
}

#[pymethods]
impl Work {
    fn __call__(&self, py: Python<'_>) -> PyResult<()> {
        match &self.order {
            Order::Cancel => {
                end(py, &self.state);
                return Ok(());
            }
            // The loop runs this in a context of its own.
            Order::Start(Some(context)) => provider_context::set(py, context.clone())?,
            Order::Start(None) => {}
        }
        let before = mem::replace(&mut *lock(&self.state), State::Ended);
        let State::New(awaitable, mut done) = before else { return Ok(()) };
        match begin(awaitable.bind(py)) {
            Ok((task, made)) => {
                *lock(&self.state) = if made { State::Running(task.clone().unbind()) } else { State::Watched };
                let end = End { state: Arc::clone(&self.state), done: Mutex::new(done) };
                task.call_method1("add_done_callback", (end,)).map(drop)
            }
            Err(raised) => {
                done(Err(raised));
                Ok(())
            }
        }
    }
}

/// A task or future of this loop, and whether it was made here. Those of another loop are refused: nothing here would wake them.
fn begin<'py>(awaitable: &Bound<'py, PyAny>) -> PyResult<(Bound<'py, PyAny>, bool)> {
    let asyncio = awaitable.py().import("asyncio")?;
    let settings = PyDict::new(awaitable.py());
    settings.set_item("loop", asyncio.call_method0("get_running_loop")?)?;
    let task = asyncio.call_method("ensure_future", (awaitable,), Some(&settings))?;
    let made = !task.is(awaitable);
    Ok((task, made))
}

/// What runs on the loop's thread when an awaitable has ended.
#[pyclass(frozen, module = "vitalwire", name = "_End")]
pub(crate) struct End {
    state: Arc<Mutex<State>>,
    done: Mutex<Done>,
}

#[pymethods]
impl End {
    fn __call__(&self, task: &Bound<'_, PyAny>) {
        *lock(&self.state) = State::Ended;
        let result = task.call_method0("result");
        let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        (*done)(result.as_ref().map_err(|raised| raised.clone_ref(task.py())));
    }
}
