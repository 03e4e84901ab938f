//! Calls for code that is not async (feature `blocking`).

use std::future::Future;
use std::pin::pin;
use std::sync::OnceLock;
use std::task::{Context, Waker};

use tokio::runtime::{Builder, Handle, Runtime};
use tokio::task::coop::consume_budget;

use crate::error::Error;

/// Threads that drive connections while callers block: two are enough, since each caller drives its own call.
const THREADS: usize = 2;

/// Runs a future to its end on this thread, with one runtime for the whole process that is made when first needed.
///
/// From inside a task of a tokio runtime this is a configuration error: blocking there could stop all other tasks. `spawn_blocking`
/// and `block_in_place` are for that.
pub fn block_on<F: Future>(future: F) -> Result<F::Output, Error> {
    if is_in_task() {
        return Err(Error::configuration("a blocking call was made inside an async runtime: use the async one, or spawn_blocking"));
    }
    Ok(runtime()?.block_on(future))
}

/// More than tokio lets a task do before it has to yield (128).
const BUDGET: usize = 256;

/// Whether this thread runs a task. tokio's threads for blocking work have its runtime too, but nothing bounds what they do.
fn is_in_task() -> bool {
    let mut context = Context::from_waker(Waker::noop());
    Handle::try_current().is_ok() && (0..BUDGET).any(|_| pin!(consume_budget()).poll(&mut context).is_pending())
}

fn runtime() -> Result<&'static Runtime, Error> {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    if let Some(runtime) = RUNTIME.get() {
        return Ok(runtime);
    }
    // Two threads may get here at once; the second's runtime is dropped unused.
    let made = Builder::new_multi_thread().worker_threads(THREADS).thread_name("vitalwire-blocking").enable_all().build();
    let made = made.map_err(|error| Error::internal("the blocking runtime cannot be started").caused_by(error))?;
    Ok(RUNTIME.get_or_init(|| made))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

    fn work() -> Result<(), Error> {
        block_on(async { tokio::time::sleep(std::time::Duration::from_millis(1)).await })
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
