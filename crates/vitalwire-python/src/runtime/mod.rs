//! Waiting for calls: on the caller's thread or in tasks, the interpreter released, signals heard.

mod asking;

use std::future::Future;
use std::mem;
use std::pin::Pin;
use std::time::Duration;

use pyo3::prelude::*;
use vitalwire::blocking::Place;
pub(crate) use vitalwire::blocking::{Work, threads};
use vitalwire::{Error, boundary};

pub(crate) use self::asking::{answer, ask, is_heard};
use crate::errors;
use crate::failure::Failure;

/// Who waits for a call.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// The calling thread.
    Sync,
    /// A task of an event loop, by a coroutine.
    Async,
}

/// How often signals are looked for while a call waits: Ctrl-C takes effect within this time.
const SIGNALS: Duration = Duration::from_millis(50);

/// Runs a call to its end on this thread. A signal handler that raises ends it: the future is dropped and its connection closed.
pub(crate) fn wait<T: Send>(py: Python<'_>, work: Work, call: impl Future<Output = Result<T, Failure>> + Send) -> PyResult<T> {
    let mut place = Place::enter(work).map_err(|error| errors::raise(py, error))?;
    // One type for all calls: what drives them is compiled once for each kind of result.
    let mut call: Call<'_, T> = Box::pin(call);
    loop {
        let mut asked = Vec::new();
        let step = || place.block_on(async { tokio::time::timeout(SIGNALS, asking::listen(call.as_mut(), &mut asked)).await });
        let stepped = py.detach(|| boundary::caught(step));
        let answered = asked.into_iter().try_for_each(|question| question(py));
        let heard = if matches!(stepped, Ok(Err(_))) { answered.and_then(|()| py.check_signals()) } else { answered };
        if !place.is_here() {
            // Python forked, and this is the child: the call and its connections are the parent's, which waits for it.
            mem::forget(call);
            heard?;
            return Err(errors::raise(py, Error::internal("a call does not go on in a forked child")));
        }
        heard?;
        match stepped {
            Ok(Ok(Some(result))) => return result.map_err(|failure| failure.raise(py)),
            Ok(Ok(None) | Err(_)) => {}
            Err(panicked) => return Err(errors::raise(py, panicked)),
        }
    }
}

/// A call that is waited for.
type Call<'a, T> = Pin<Box<dyn Future<Output = Result<T, Failure>> + Send + 'a>>;
