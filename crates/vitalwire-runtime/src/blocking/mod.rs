//! Blocking calls, for code that is not async (feature `blocking`).

mod place;
mod renewed;
mod started;

use std::future::Future;
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Waker};

use tokio::runtime::{Builder, Handle, Runtime};
use tokio::task::coop::consume_budget;

pub use self::place::{Place, Work};
use self::renewed::Renewed;
pub use self::started::{Started, Starting, after_others, aside, shutdown};
use crate::error::Error;

/// Number of worker threads that drive connections and tasks of blocking calls.
const THREADS: usize = 2;

/// Runs a call to completion on this thread.
///
/// Returns a configuration error inside a task of a tokio runtime, because blocking there could stop all other tasks. Use
/// `spawn_blocking` or `block_in_place` for that.
pub fn block_on<F: Future>(call: F) -> Result<F::Output, Error> {
    run(Work::Single, call)
}

/// Like [`block_on`], for several calls that run concurrently.
pub fn block_on_several<F: Future>(calls: F) -> Result<F::Output, Error> {
    run(Work::Tasks, calls)
}

fn run<F: Future>(work: Work, call: F) -> Result<F::Output, Error> {
    if is_in_task() {
        return Err(Error::configuration("a blocking call was made inside an async runtime: use the async one, or spawn_blocking"));
    }
    Ok(Place::enter(work)?.block_on(call))
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

static RUNTIMES: Renewed<Runtime> = Renewed::new();

/// Returns the multi-threaded runtime of this process. It is created on first use, again after [`shutdown`], and again in a forked child,
/// which has none of its parent's threads.
pub fn threads() -> Result<Arc<Runtime>, Error> {
    RUNTIMES.get(|| Builder::new_multi_thread().worker_threads(THREADS).thread_name("vitalwire").enable_all().build().map_err(unstarted))
}

/// Removes the multi-threaded runtime. Dropping the returned handle ends its threads.
fn end_threads() -> Option<Arc<Runtime>> {
    RUNTIMES.take()
}

fn unstarted(error: io::Error) -> Error {
    unavailable(error, "the runtime of blocking calls cannot be started")
}

/// Creates the error for a system resource that cannot be allocated: `transport` if no file descriptors are left, otherwise `internal`
/// with the reason.
#[must_use]
pub fn unavailable(error: io::Error, reason: &'static str) -> Error {
    Error::from_os_error(&error, Error::internal(reason)).with_source(error)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

    fn work() -> Result<(), Error> {
        block_on(async { tokio::time::sleep(std::time::Duration::from_millis(1)).await })
    }

    #[cfg(unix)]
    #[test]
    fn no_descriptors_left_is_a_transport_error() {
        // EMFILE and EPERM.
        for (number, kind) in [(24, ErrorKind::Transport), (1, ErrorKind::Internal)] {
            assert_eq!(unstarted(io::Error::from_raw_os_error(number)).kind(), kind);
        }
    }

    #[test]
    fn runs_outside_and_refuses_inside() {
        assert!(work().is_ok());
        for inside in [Builder::new_current_thread().build(), Builder::new_multi_thread().worker_threads(1).build()] {
            let inside = inside.expect("a runtime");
            let refused = |outcome: Result<(), Error>| outcome.is_err_and(|error| error.kind() == ErrorKind::Configuration);
            assert!(refused(inside.block_on(async { work() })));
            assert!(refused(inside.block_on(async { tokio::spawn(async { work() }).await.expect("no panic") })));
            let entered = inside.enter();
            assert!(work().is_ok(), "no task is run here");
            drop(entered);
        }
    }

    #[test]
    fn runs_on_threads_for_blocking_work() {
        let runtime = Builder::new_multi_thread().worker_threads(1).build().expect("a runtime");
        let spawned = runtime.block_on(async { tokio::task::spawn_blocking(work).await });
        assert!(spawned.expect("no panic").is_ok());
        let in_place = runtime.block_on(async { tokio::spawn(async { tokio::task::block_in_place(work) }).await });
        assert!(in_place.expect("no panic").is_ok());
    }
}
