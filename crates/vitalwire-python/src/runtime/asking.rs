//! Asking Python from within a call that a thread waits for: on that thread, between two steps of the call.

use std::cell::RefCell;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::Poll;

use pyo3::prelude::*;
use tokio::sync::oneshot;
use vitalwire::client::ProviderContext;

use crate::errors;

/// Calls Python. An error is what no program catches, such as Ctrl-C: it ends the call that is waited for, whatever else becomes of it.
pub(super) type Question = Box<dyn FnOnce(Python<'_>) -> PyResult<()> + Send>;

thread_local! {
    /// What the call that this thread waits for asked; none while it is not being polled.
    static ASKED: RefCell<Option<Vec<Question>>> = const { RefCell::new(None) };
}

/// Goes on with a call until it has ended, or until it asked something, which is put into `asked`: then there is no result yet.
pub(super) async fn listen<F: Future + ?Sized>(mut call: Pin<&mut F>, asked: &mut Vec<Question>) -> Option<F::Output> {
    poll_fn(|context| {
        let listening = Listening::begin();
        let polled = call.as_mut().poll(context);
        *asked = listening.end();
        match polled {
            Poll::Ready(result) => Poll::Ready(Some(result)),
            Poll::Pending if asked.is_empty() => Poll::Pending,
            Poll::Pending => Poll::Ready(None),
        }
    })
    .await
}

/// While this is there, questions of this thread are heard.
struct Listening;

impl Listening {
    fn begin() -> Self {
        ASKED.set(Some(Vec::new()));
        Self
    }

    fn end(self) -> Vec<Question> {
        ASKED.take().unwrap_or_default()
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        ASKED.set(None);
    }
}

/// Whether what is asked now is heard by the thread that waits for the call; otherwise threads of their own answer, in any order.
pub(crate) fn is_heard() -> bool {
    ASKED.with_borrow(Option::is_some)
}

/// Has Python called by the thread that waits for this call, which may make calls of its own meanwhile; from a task, by a thread for such
/// things. Not in an interpreter that is going down.
pub(crate) fn ask(question: impl FnOnce(Python<'_>) -> PyResult<()> + Send + 'static) {
    let question: Question = Box::new(question);
    let unheard = ASKED.with_borrow_mut(|asked| match asked {
        Some(asked) => {
            asked.push(question);
            None
        }
        None => Some(question),
    });
    if let Some(question) = unheard {
        tokio::task::spawn_blocking(move || Python::try_attach(question));
    }
}

/// What Python answers to a question; `None` where there is nobody to ask.
pub(crate) async fn answer<T: Send + 'static>(question: impl FnOnce(Python<'_>) -> PyResult<T> + Send + 'static) -> Option<PyResult<T>> {
    let (sender, receiver) = oneshot::channel();
    let context = ProviderContext::current();
    ask(move |py| {
        let answer = match context {
            Some(context) => context.run(|| question(py)),
            None => question(py),
        };
        let ends = answer.as_ref().err().filter(|raised| errors::ends_programs(py, raised)).map(|raised| raised.clone_ref(py));
        // The call may have ended meanwhile.
        let _ = sender.send(answer);
        ends.map_or(Ok(()), Err)
    });
    receiver.await.ok()
}
