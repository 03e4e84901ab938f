//! Waiting for calls: one runtime for the whole process, the interpreter released, signals heard.

use std::future::Future;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use pyo3::prelude::*;
use tokio::runtime::{Builder, Runtime};
use vitalwire::Error;

use crate::caller::Failure;
use crate::errors;

/// How often signals are looked for while a call waits: Ctrl-C takes effect within this time.
const SIGNALS: Duration = Duration::from_millis(50);
/// Threads that drive connections; each caller drives its own call.
const THREADS: usize = 2;

/// The runtime and the process that it was made in.
static RUNTIME: Mutex<Option<(u32, Arc<Runtime>)>> = Mutex::new(None);

/// Says where the library failed and not with what text, which could hold anything. The extension has a standard library of its
/// own, so no other library's panics are touched.
pub(crate) fn quiet_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map_or_else(String::new, |at| format!(" at {}:{}", at.file(), at.line()));
        let _ = writeln!(std::io::stderr(), "vitalwire: internal error{place}");
    }));
}

/// The process's runtime, made when first needed, and made anew in a forked child, which has none of its parent's threads.
pub(crate) fn runtime() -> Result<Arc<Runtime>, Error> {
    let mut slot = RUNTIME.lock().unwrap_or_else(PoisonError::into_inner);
    let process = std::process::id();
    match slot.take() {
        Some((made_in, runtime)) if made_in == process => {
            *slot = Some((made_in, Arc::clone(&runtime)));
            return Ok(runtime);
        }
        // Dropping it would wait for threads that do not exist here.
        Some((_, inherited)) => std::mem::forget(inherited),
        None => {}
    }
    let made = Builder::new_multi_thread().worker_threads(THREADS).thread_name("vitalwire").enable_all().build();
    let runtime = Arc::new(made.map_err(|_| Error::internal("the runtime cannot be started"))?);
    *slot = Some((process, Arc::clone(&runtime)));
    Ok(runtime)
}

/// Runs a call to its end on this thread. A signal handler that raises ends it: the future is dropped and its connection closed.
pub(crate) fn wait<T: Send>(py: Python<'_>, call: impl Future<Output = Result<T, Failure>> + Send) -> PyResult<T> {
    let runtime = runtime().map_err(|error| errors::raise(py, error))?;
    let mut call = pin!(call);
    loop {
        let step = || runtime.block_on(async { tokio::time::timeout(SIGNALS, call.as_mut()).await });
        // The panic's own text could hold anything, so it is dropped here.
        match py.detach(|| catch_unwind(AssertUnwindSafe(step))) {
            Ok(Ok(result)) => return result.map_err(|failure| failure.raise(py)),
            Ok(Err(_)) => py.check_signals()?,
            Err(_) => return Err(errors::raise(py, panicked())),
        }
    }
}

/// What a call ends with whose code panicked.
pub(crate) fn panicked() -> Error {
    Error::internal("the library met a state it does not know")
}
