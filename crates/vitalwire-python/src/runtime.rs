//! Waiting for calls: one runtime for the whole process, the interpreter released, signals heard.

use std::cell::RefCell;
use std::future::Future;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::time::Duration;

use pyo3::prelude::*;
use tokio::runtime::{Builder, Runtime};
use vitalwire::Error;

use crate::caller::Failure;
use crate::errors;
use crate::per_process::PerProcess;

/// How often signals are looked for while a call waits: Ctrl-C takes effect within this time.
const SIGNALS: Duration = Duration::from_millis(50);
/// Threads that drive connections; each caller drives its own call.
const THREADS: usize = 2;

thread_local! {
    /// What ended a callback on this thread and is to end the call too, such as Ctrl-C.
    static INTERRUPT: RefCell<Option<PyErr>> = const { RefCell::new(None) };
}

/// Says where the library failed and not with what text, which could hold anything. The extension has a standard library of its
/// own, so no other library's panics are touched.
pub(crate) fn quiet_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map_or_else(String::new, |at| format!(" at {}:{}", at.file(), at.line()));
        let _ = writeln!(std::io::stderr(), "vitalwire: internal error{place}");
    }));
}

/// The process's runtime, made when first needed, and made anew in a forked child, which has none of its parent's threads.
pub(crate) fn runtime() -> Result<&'static Runtime, Error> {
    static RUNTIMES: PerProcess<Runtime> = PerProcess::new();
    RUNTIMES.get(|| {
        let made = Builder::new_multi_thread().worker_threads(THREADS).thread_name("vitalwire").enable_all().build();
        made.map_err(|_| Error::internal("the runtime cannot be started"))
    })
}

/// Runs a call to its end on this thread. A signal handler that raises ends it: the future is dropped and its connection closed.
pub(crate) fn wait<T: Send>(py: Python<'_>, call: impl Future<Output = Result<T, Failure>> + Send) -> PyResult<T> {
    let runtime = runtime().map_err(|error| errors::raise(py, error))?;
    let mut call = pin!(call);
    INTERRUPT.take();
    loop {
        let step = || runtime.block_on(async { tokio::time::timeout(SIGNALS, call.as_mut()).await });
        // The panic's own text could hold anything, so it is dropped here.
        let stepped = py.detach(|| catch_unwind(AssertUnwindSafe(step)));
        if let Some(interrupt) = INTERRUPT.take() {
            return Err(interrupt);
        }
        match stepped {
            Ok(Ok(result)) => return result.map_err(|failure| failure.raise(py)),
            Ok(Err(_)) => py.check_signals()?,
            Err(_) => return Err(errors::raise(py, panicked())),
        }
    }
}

/// Calls Python from within a call, on the thread that drives it, which may make calls of its own meanwhile. `None` where the
/// interpreter is going down.
///
/// What no program catches, such as Ctrl-C, ends the sync call that waits on this thread, whatever becomes of the callback's failure.
pub(crate) fn callback<T>(work: impl FnOnce(Python<'_>) -> PyResult<T>) -> Option<PyResult<T>> {
    let run = |py: Python<'_>| {
        let done = work(py);
        if let Err(raised) = &done
            && errors::ends_programs(py, raised)
        {
            INTERRUPT.set(Some(raised.clone_ref(py)));
        }
        done
    };
    tokio::task::block_in_place(|| Python::try_attach(run))
}

/// What a call ends with whose code panicked.
pub(crate) fn panicked() -> Error {
    Error::internal("the library met a state it does not know")
}
