//! Calls for code that is not async (feature `blocking`).

use std::future::Future;
use std::sync::OnceLock;

use tokio::runtime::{Builder, Handle, Runtime};

use crate::error::Error;

/// Threads that drive connections while callers block: two are enough, since each caller drives its own call.
const THREADS: usize = 2;

/// Runs a future to its end on this thread, with one runtime for the whole process that is made when first needed.
///
/// From inside a tokio runtime (its `spawn_blocking` threads too, which cannot be told apart) this is a configuration error:
/// blocking there could stop all its tasks. Use the async methods there.
pub(crate) fn block_on<F: Future>(future: F) -> Result<F::Output, Error> {
    if Handle::try_current().is_ok() {
        return Err(Error::configuration("a blocking call was made inside an async runtime: use the async one"));
    }
    Ok(runtime()?.block_on(future))
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

    #[test]
    fn runs_outside_and_refuses_inside() {
        let work = || async { tokio::time::sleep(std::time::Duration::from_millis(1)).await };
        assert!(block_on(work()).is_ok());
        let inside = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        let error = inside.block_on(async { block_on(work()) }).expect_err("refused");
        assert_eq!(error.kind(), ErrorKind::Configuration);
    }
}
