//! Callbacks into Python during a call, run by the waiting thread between two polls of the call.

use std::cell::RefCell;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::Poll;

use pyo3::prelude::*;
use tokio::sync::oneshot;
use vitalwire::client::ProviderContext;

use crate::errors;

/// A callback into Python. It returns an error only for exceptions that end programs, such as Ctrl-C; these abort the call.
pub(super) type Callback = Box<dyn FnOnce(Python<'_>) -> PyResult<()> + Send>;

thread_local! {
    /// Callbacks of the call that this thread polls. `None` outside a poll.
    static CALLBACKS: RefCell<Option<Vec<Callback>>> = const { RefCell::new(None) };
}

/// Polls a call until it completes or has callbacks. If it has callbacks, moves them into `callbacks` and returns `None`.
pub(super) async fn poll<F: Future + ?Sized>(mut call: Pin<&mut F>, callbacks: &mut Vec<Callback>) -> Option<F::Output> {
    poll_fn(|context| {
        let scope = CallbackScope::begin();
        let polled = call.as_mut().poll(context);
        *callbacks = scope.end();
        match polled {
            Poll::Ready(result) => Poll::Ready(Some(result)),
            Poll::Pending if callbacks.is_empty() => Poll::Pending,
            Poll::Pending => Poll::Ready(None),
        }
    })
    .await
}

/// Guard that collects the callbacks of this thread.
struct CallbackScope;

impl CallbackScope {
    fn begin() -> Self {
        CALLBACKS.set(Some(Vec::new()));
        Self
    }

    fn end(self) -> Vec<Callback> {
        CALLBACKS.take().unwrap_or_default()
    }
}

impl Drop for CallbackScope {
    fn drop(&mut self) {
        CALLBACKS.set(None);
    }
}

/// Whether the waiting thread runs callbacks of the current call. Otherwise blocking threads run them, in any order.
pub(crate) fn has_waiter() -> bool {
    CALLBACKS.with_borrow(Option::is_some)
}

/// Runs a callback on the thread that waits for this call, or on a blocking thread for async calls. The callback may make calls itself.
/// It is skipped while the interpreter shuts down.
pub(crate) fn run(callback: impl FnOnce(Python<'_>) -> PyResult<()> + Send + 'static) {
    let callback: Callback = Box::new(callback);
    let unclaimed = CALLBACKS.with_borrow_mut(|callbacks| match callbacks {
        Some(callbacks) => {
            callbacks.push(callback);
            None
        }
        None => Some(callback),
    });
    if let Some(callback) = unclaimed {
        tokio::task::spawn_blocking(move || Python::try_attach(callback));
    }
}

/// Runs a callback and returns its result. Returns `None` if it was skipped.
pub(crate) async fn run_for_result<T: Send + 'static>(
    callback: impl FnOnce(Python<'_>) -> PyResult<T> + Send + 'static,
) -> Option<PyResult<T>> {
    let (sender, receiver) = oneshot::channel();
    let context = ProviderContext::current();
    run(move |py| {
        let result = match context {
            Some(context) => context.run(|| callback(py)),
            None => callback(py),
        };
        let ends = result.as_ref().err().filter(|raised| errors::is_program_exit(py, raised)).map(|raised| raised.clone_ref(py));
        // The receiver is gone if the call has ended.
        let _ = sender.send(result);
        ends.map_or(Ok(()), Err)
    });
    receiver.await.ok()
}
