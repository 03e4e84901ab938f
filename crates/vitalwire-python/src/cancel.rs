//! Cancelling calls from elsewhere: another thread, a button, a signal handler.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use tokio::sync::watch;
use vitalwire::Error;

use crate::caller::Failure;
use crate::generated::docs;

#[doc = docs!(CancelToken)]
#[pyclass(frozen, module = "vitalwire")]
pub(crate) struct CancelToken {
    state: watch::Sender<bool>,
}

#[pymethods]
impl CancelToken {
    #[new]
    fn new() -> Self {
        Self { state: watch::Sender::new(false) }
    }

    #[doc = docs!(CancelToken.cancel)]
    fn cancel(&self) {
        self.state.send_replace(true);
    }

    #[doc = docs!(CancelToken.cancelled)]
    #[getter]
    fn cancelled(&self) -> bool {
        *self.state.borrow()
    }

    fn __repr__(&self) -> String {
        format!("CancelToken(cancelled={})", if self.cancelled() { "True" } else { "False" })
    }
}

/// What ends a call: told by a token, or never.
#[derive(Clone, Default)]
pub(crate) struct Cancel(Option<watch::Receiver<bool>>);

impl FromPyObject<'_, '_> for Cancel {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        let Ok(token) = object.cast::<CancelToken>() else { return Err(PyTypeError::new_err("a CancelToken is needed")) };
        Ok(Self(Some(token.get().state.subscribe())))
    }
}

impl Cancel {
    /// Ready when the token is cancelled.
    pub(crate) async fn cancelled(self) {
        // One that is gone cancels nothing.
        let told = async { self.0?.wait_for(|cancelled| *cancelled).await.is_ok().then_some(()) };
        if told.await.is_none() {
            std::future::pending::<()>().await;
        }
    }

    /// Does the work unless it is cancelled, which drops it.
    pub(crate) async fn or<T>(self, work: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
        if self.0.is_none() {
            return work.await;
        }
        let (mut cancelled, mut work) = (pin!(self.cancelled()), pin!(work));
        poll_fn(|context| {
            if cancelled.as_mut().poll(context).is_ready() {
                return Poll::Ready(Err(Error::cancelled().into()));
            }
            work.as_mut().poll(context)
        })
        .await
    }
}
