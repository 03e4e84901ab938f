//! Blocking calls, for code that is not async (feature `blocking`).

mod background;
mod driver;
mod resettable_lazy;

use std::future::Future;
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Waker};

use tokio::runtime::{Builder, Handle, Runtime};
use tokio::task::coop::consume_budget;

pub use self::background::{BackgroundCall, RegisteredCall, shutdown, spawn_blocking, yield_to_ready_tasks};
pub(crate) use self::driver::prepare_decoding;
pub use self::driver::{CallDriver, CallShape};
use self::resettable_lazy::ResettableLazy;
use crate::error::Error;
use crate::sigpipe;

/// Number of worker threads that drive connections and tasks of blocking calls.
const WORKER_THREADS: usize = 2;

/// Runs a call to completion on this thread.
///
/// Returns a configuration error inside a task of a tokio runtime, because blocking there could stop all other tasks. Use
/// `spawn_blocking` or `block_in_place` for that.
pub fn block_on<F: Future>(call: F) -> Result<F::Output, Error> {
    run(CallShape::Single, call)
}

/// Like [`block_on`], for several calls that run concurrently.
pub fn block_on_several<F: Future>(calls: F) -> Result<F::Output, Error> {
    run(CallShape::Tasks, calls)
}

fn run<F: Future>(shape: CallShape, call: F) -> Result<F::Output, Error> {
    if is_in_task() {
        return Err(Error::configuration("a blocking call was made inside an async runtime; use the async call or spawn_blocking"));
    }
    Ok(CallDriver::new(shape)?.block_on(call))
}

/// Number of steps that exceeds tokio's cooperative budget for a task (128).
const BUDGET: usize = 256;

/// Whether this thread runs an async task and must not be blocked. tokio's threads for blocking work also enter its runtime, but they may
/// block.
#[must_use]
pub fn is_in_task() -> bool {
    let mut context = Context::from_waker(Waker::noop());
    Handle::try_current().is_ok() && (0..BUDGET).any(|_| pin!(consume_budget()).poll(&mut context).is_pending())
}

static WORKER_RUNTIME: ResettableLazy<Runtime> = ResettableLazy::new();

/// Returns the multi-threaded runtime of this process. It is created on first use, again after [`shutdown`], and again in a forked child,
/// which has none of its parent's threads.
pub fn worker_runtime() -> Result<Arc<Runtime>, Error> {
    let build = || {
        let mut builder = Builder::new_multi_thread();
        builder.worker_threads(WORKER_THREADS).thread_name("vitalwire").on_thread_start(sigpipe::block_on_this_thread);
        builder.enable_all().build()
    };
    WORKER_RUNTIME.get(|| build().map_err(start_error))
}

/// Removes the multi-threaded runtime. Dropping the returned handle ends its threads.
fn take_worker_runtime() -> Option<Arc<Runtime>> {
    WORKER_RUNTIME.take()
}

fn start_error(error: io::Error) -> Error {
    resource_error(error, "the runtime of blocking calls cannot be started")
}

/// Creates the error for a system resource that cannot be allocated: `transport` if no file descriptors are left, otherwise `internal`
/// with the reason.
#[must_use]
pub fn resource_error(error: io::Error, reason: &'static str) -> Error {
    Error::from_os_error(&error, Error::internal(reason)).with_source(error)
}

#[cfg(test)]
mod tests;
