//! Who drives the parts of a range: a task each, since whoever reads may take any time between two parts, and timeouts go on.

use std::convert::Infallible;

use tokio::runtime::Handle;
use tokio::sync::oneshot;
use vitalwire::client::{BoxFuture, ProviderContext};

use crate::call::{Driver, within};

/// Returns a function that turns a part into its task. The task runs in a token provider's context, if there is one.
pub(super) fn task(
    driver: Driver,
    context: Option<ProviderContext>,
) -> impl Fn(BoxFuture<'static, ()>) -> BoxFuture<'static, ()> + Send + Sync + 'static {
    move |part| {
        let part = within(context.clone(), part);
        match driver {
            Driver::Runtime => part,
            Driver::Caller => aside(part),
        }
    }
}

/// The part on a thread for blocking work: the application's code runs within it, and on the runtime's own thread that would hold up every
/// connection of the process. The part ends with its task.
fn aside(part: BoxFuture<'static, ()>) -> BoxFuture<'static, ()> {
    Box::pin(async move {
        // Nothing is sent: it is dropped with the task, which by itself would not end what runs on another thread.
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
        // A panic within the part is told by the answer that it does not give.
        let _ = tokio::task::spawn_blocking(work).await;
    })
}
