//! Calls to the callables of an `AsyncClient`. Callables run on a blocking thread; the awaitables that they return run in the event loop.

use std::mem;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::types::PyDict;
use tokio::sync::oneshot;
use vitalwire::client::ProviderContext;

use crate::event_loop::PendingCall;
use crate::{errors, provider_context};

/// Converts the result of a callable.
type Converter<T> = fn(&Bound<'_, PyAny>) -> PyResult<T>;

/// Calls a callable, which may be async. Returns `None` without an event loop, or while the interpreter shuts down.
pub(crate) async fn call<T: Send + 'static>(callable: Arc<Py<PyAny>>, argument: &'static str, read: Converter<T>) -> Option<PyResult<T>> {
    let pending = PendingCall::current();
    let awaited = pending.is_some();
    // On a blocking thread, because the callable may be slow.
    let result = tokio::task::spawn_blocking(move || {
        Python::try_attach(|py| {
            let returned = callable.bind(py).call1((argument,))?;
            Ok(if awaited && is_awaitable(&returned)? {
                CallableResult::Awaitable(AwaitableGuard(Some(returned.unbind())))
            } else {
                CallableResult::Value(read(&returned)?)
            })
        })
    });
    match (result.await.ok()??, pending) {
        (Ok(CallableResult::Value(value)), _) => Some(Ok(value)),
        (Ok(CallableResult::Awaitable(mut unawaited)), Some(pending)) => await_in_loop(&pending, unawaited.0.take()?, read).await,
        (Ok(CallableResult::Awaitable(_)), None) => None,
        (Err(raised), _) => Some(Err(raised)),
    }
}

pub(crate) fn is_awaitable(returned: &Bound<'_, PyAny>) -> PyResult<bool> {
    returned.py().import("inspect")?.call_method1("isawaitable", (returned,))?.is_truthy()
}

enum CallableResult<T> {
    Value(T),
    Awaitable(AwaitableGuard),
}

/// An awaitable that is closed on drop. The call may end before the awaitable runs, and Python warns about coroutines that never ran.
struct AwaitableGuard(Option<Py<PyAny>>);

impl Drop for AwaitableGuard {
    fn drop(&mut self) {
        if let Some(awaitable) = self.0.take() {
            // Ignores awaitables without `close`: only coroutines have this method.
            errors::with_saved_exception(|py| awaitable.call_method0(py, "close").map_or((), drop));
        }
    }
}

/// Awaits an awaitable in the event loop of a call. Cancels it if the returned future is dropped.
async fn await_in_loop<T: Send + 'static>(pending: &Arc<PendingCall>, awaitable: Py<PyAny>, read: Converter<T>) -> Option<PyResult<T>> {
    let (sender, receiver) = oneshot::channel();
    let mut sender = Some(sender);
    let done = move |result: PyResult<&Bound<'_, PyAny>>| {
        if let Some(sender) = sender.take() {
            // The receiver is gone if the call has ended.
            let _ = sender.send(result.and_then(read));
        }
    };
    let task = Task { state: Arc::new(Mutex::new(State::New(awaitable, Box::new(done)))), pending: Arc::clone(pending) };
    task.send(LoopMessage::Start(ProviderContext::current()));
    receiver.await.ok()
}

/// Message to the event loop.
enum LoopMessage {
    Start(Option<ProviderContext>),
    Cancel,
}

type DoneCallback = Box<dyn FnMut(PyResult<&Bound<'_, PyAny>>) + Send>;

enum State {
    New(Py<PyAny>, DoneCallback),
    Running(Py<PyAny>),
    /// A future or task of the caller, which must not be cancelled because other code may wait for it.
    Watched,
    Ended,
}

/// An awaitable in an event loop. Cancelled on drop.
struct Task {
    state: Arc<Mutex<State>>,
    pending: Arc<PendingCall>,
}

impl Task {
    fn send(&self, message: LoopMessage) {
        errors::with_saved_exception(|py| {
            let sent = self.pending.event_loop(py).and_then(|event_loop| {
                let control = TaskControl { state: Arc::clone(&self.state), message };
                event_loop.call_method1(pyo3::intern!(py, "call_soon_threadsafe"), (control,))
            });
            if sent.is_err() {
                // The loop is closed. Closing the awaitable avoids the warning about a coroutine that never ran.
                cancel_task(py, &self.state);
            }
        });
    }
}

impl Drop for Task {
    fn drop(&mut self) {
        if !matches!(*lock(&self.state), State::Ended) {
            self.send(LoopMessage::Cancel);
        }
    }
}

fn lock(state: &Mutex<State>) -> std::sync::MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Cancels an awaitable, or closes it if it never ran.
fn cancel_task(py: Python<'_>, state: &Mutex<State>) {
    let before = mem::replace(&mut *lock(state), State::Ended);
    let _ = match before {
        State::New(awaitable, _) => awaitable.call_method0(py, "close"),
        State::Running(task) => task.call_method0(py, "cancel"),
        State::Watched | State::Ended => return,
    };
}

/// Callback that starts or cancels an awaitable on the thread of the event loop.
#[pyclass(frozen, module = "vitalwire", name = "_TaskControl")]
pub(crate) struct TaskControl {
    state: Arc<Mutex<State>>,
    message: LoopMessage,
}

#[pymethods]
impl TaskControl {
    fn __call__(&self, py: Python<'_>) -> PyResult<()> {
        match &self.message {
            LoopMessage::Cancel => {
                cancel_task(py, &self.state);
                return Ok(());
            }
            // The loop runs this callback in a new context, so the variable is set again.
            LoopMessage::Start(Some(context)) => provider_context::set(py, context.clone())?,
            LoopMessage::Start(None) => {}
        }
        let before = mem::replace(&mut *lock(&self.state), State::Ended);
        let State::New(awaitable, mut done) = before else { return Ok(()) };
        match schedule(awaitable.bind(py)) {
            Ok((task, made)) => {
                *lock(&self.state) = if made { State::Running(task.clone().unbind()) } else { State::Watched };
                let done = TaskDone { state: Arc::clone(&self.state), done: Mutex::new(done) };
                task.call_method1("add_done_callback", (done,)).map(drop)
            }
            Err(raised) => {
                done(Err(raised));
                Ok(())
            }
        }
    }
}

/// Schedules an awaitable. Returns its task or future and whether the task is new. Rejects futures of other loops, which would never wake.
fn schedule<'py>(awaitable: &Bound<'py, PyAny>) -> PyResult<(Bound<'py, PyAny>, bool)> {
    let asyncio = awaitable.py().import("asyncio")?;
    let settings = PyDict::new(awaitable.py());
    settings.set_item("loop", asyncio.call_method0("get_running_loop")?)?;
    let task = asyncio.call_method("ensure_future", (awaitable,), Some(&settings))?;
    let made = !task.is(awaitable);
    Ok((task, made))
}

/// Callback for the completion of an awaitable, on the thread of the event loop.
#[pyclass(frozen, module = "vitalwire", name = "_TaskDone")]
pub(crate) struct TaskDone {
    state: Arc<Mutex<State>>,
    done: Mutex<DoneCallback>,
}

#[pymethods]
impl TaskDone {
    fn __call__(&self, task: &Bound<'_, PyAny>) {
        *lock(&self.state) = State::Ended;
        let result = task.call_method0("result");
        let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        (*done)(result.as_ref().map_err(|raised| raised.clone_ref(task.py())));
    }
}
