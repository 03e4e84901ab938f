//! Waiting for calls, with the interpreter released and signals handled.

mod callbacks;

use std::future::Future;
use std::mem;
use std::pin::Pin;
use std::time::Duration;

use pyo3::prelude::*;
use vitalwire::blocking::CallDriver;
pub(crate) use vitalwire::blocking::{CallShape, worker_runtime};
use vitalwire::{Error, boundary};

pub(crate) use self::callbacks::{has_waiter, run, run_for_result};
use crate::errors;
use crate::failure::Failure;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum CallMode {
    /// Calls block the calling thread.
    Sync,
    /// Calls are coroutines of an event loop.
    Async,
}

/// Interval of signal checks during a call: the maximum latency of Ctrl-C.
const SIGNALS: Duration = Duration::from_millis(50);

/// Blocks this thread until a call completes. An exception of a signal handler drops the future and closes its connection.
pub(crate) fn wait<T: Send>(py: Python<'_>, shape: CallShape, call: impl Future<Output = Result<T, Failure>> + Send) -> PyResult<T> {
    let mut driver = CallDriver::new(shape).map_err(|error| errors::raise(py, error))?;
    // Boxed, so that the code below is compiled once per result type, not once per future.
    let mut call: Call<'_, T> = Box::pin(call);
    loop {
        let mut requested = Vec::new();
        let step = || driver.block_on(async { tokio::time::timeout(SIGNALS, callbacks::poll(call.as_mut(), &mut requested)).await });
        let stepped = py.detach(|| boundary::catch_panic(step));
        let outcome = requested.into_iter().try_for_each(|callback| callback(py));
        let heard = if matches!(stepped, Ok(Err(_))) { outcome.and_then(|()| py.check_signals()) } else { outcome };
        if !driver.is_in_this_process() {
            // This is a forked child. The call and its connections belong to the parent.
            mem::forget(call);
            heard?;
            return Err(errors::raise(py, Error::internal("a call cannot continue in a forked process")));
        }
        heard?;
        match stepped {
            Ok(Ok(Some(result))) => return result.map_err(|failure| failure.raise(py)),
            Ok(Ok(None) | Err(_)) => {}
            Err(panicked) => return Err(errors::raise(py, panicked)),
        }
    }
}

/// A call for which a thread waits.
type Call<'a, T> = Pin<Box<dyn Future<Output = Result<T, Failure>> + Send + 'a>>;
