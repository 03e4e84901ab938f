//! Cancellation of calls from another task or thread.

use std::fmt;
use std::future::Future;
use std::pin::pin;

use futures_util::future::{Either, select};
use tokio_util::sync::CancellationToken;

/// Cancels calls from another task or thread. Pass it to calls with
/// [`CallOptions::cancel_token`](crate::client::CallOptions::cancel_token). Clones share one state, and cancellation is permanent.
///
/// Dropping a call also ends it, but returns nothing. A call that is cancelled by a token fails with
/// [`ErrorKind::Cancelled`](crate::error::ErrorKind::Cancelled). The error has the attempts, the last status, and whether the call may
/// have taken effect.
#[derive(Clone, Default)]
pub struct CancelToken(CancellationToken);

impl CancelToken {
    /// Creates a token that is not cancelled.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a child token. Cancelling this token cancels the child, but not the other way round.
    #[must_use]
    pub fn child(&self) -> Self {
        Self(self.0.child_token())
    }

    /// Cancels all calls that use this token, including future ones.
    pub fn cancel(&self) {
        self.0.cancel();
    }

    /// Whether the token is cancelled.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }

    /// Like [`CancelToken::cancelled`], but borrows the token: cloning it would take a lock.
    pub(super) fn until_cancelled(&self) -> impl Future<Output = ()> + Send + '_ {
        self.0.cancelled()
    }

    /// Completes when the token is cancelled.
    pub fn cancelled(&self) -> impl Future<Output = ()> + Send + 'static {
        self.0.clone().cancelled_owned()
    }

    /// Runs a future until the token is cancelled. Returns `None` if the token was cancelled first; the future is not polled if it is
    /// cancelled already. A result that is ready when the token is cancelled is returned.
    pub async fn unless_cancelled<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        if self.is_cancelled() {
            return None;
        }
        run_until(work, self.0.cancelled()).await
    }
}

/// Runs a future until `end` completes. The work is polled first, so that a response that has arrived is not discarded.
pub(super) async fn run_until<T>(work: impl Future<Output = T>, end: impl Future<Output = ()>) -> Option<T> {
    match select(pin!(work), pin!(end)).await {
        Either::Left((value, _)) => Some(value),
        Either::Right(((), _)) => None,
    }
}

impl fmt::Debug for CancelToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CancelToken").field("cancelled", &self.is_cancelled()).finish()
    }
}
