//! Tasks for the parts of a range. Without tasks, a part would pause together with the reader while its timeouts keep running.

use std::convert::Infallible;

use tokio::runtime::Handle;
use tokio::sync::oneshot;
use vitalwire::client::{BoxFuture, ProviderContext};

use crate::call::{Driver, run_in_context};

/// Returns a function that wraps a part for its task. The part runs in the token provider context, if there is one.
pub(super) fn wrapper(
    driver: Driver,
    context: Option<ProviderContext>,
) -> impl Fn(BoxFuture<'static, ()>) -> BoxFuture<'static, ()> + Send + Sync + 'static {
    move |part| {
        let part = run_in_context(context.clone(), part);
        match driver {
            Driver::Runtime => part,
            Driver::Caller => run_on_blocking_thread(part),
        }
    }
}

/// Runs a part on a thread for blocking work. Callbacks of the application run within the part; on the runtime's own thread, they would
/// block all connections of the process. Dropping the future aborts the part.
fn run_on_blocking_thread(part: BoxFuture<'static, ()>) -> BoxFuture<'static, ()> {
    Box::pin(async move {
        // The sender only signals the end: dropping the task drops the sender, which ends the work on the blocking thread.
        let (_task, ended) = oneshot::channel::<Infallible>();
        let runtime = Handle::current();
        let work = move || {
            runtime.block_on(async {
                tokio::select! {
                    biased;
                    _ = ended => (),
                    () = part => (),
                }
            });
        };
        // Ignored: after a panic, the part has no response, and the range call reports that as an error.
        let _ = tokio::task::spawn_blocking(work).await;
    })
}
