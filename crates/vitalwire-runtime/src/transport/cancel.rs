//! Cancelling calls from another task or thread.

use std::fmt;
use std::future::Future;
use std::pin::pin;

use futures_util::future::{Either, select};
use tokio_util::sync::CancellationToken;

/// Cancels calls from another task or thread. Pass it to calls by [`CallOptions::cancel_token`](crate::client::CallOptions::cancel_token);
/// all clones are one token, and once cancelled it stays so.
///
/// Dropping a call ends it too, but says nothing of its progress. A call that is cancelled by a token fails with
/// [`ErrorKind::Cancelled`](crate::error::ErrorKind::Cancelled), and the error has its attempts, the last status, and whether it may have
/// taken effect.
#[derive(Clone, Default)]
pub struct CancelToken(CancellationToken);

impl CancelToken {
    /// Creates a token that is not cancelled.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a token that is cancelled with this one, or by itself.
    #[must_use]
    pub fn child(&self) -> Self {
        Self(self.0.child_token())
    }

    /// Cancels all calls that have this token, future ones included.
    pub fn cancel(&self) {
        self.0.cancel();
    }

    /// Whether the token is cancelled.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }

    /// The same as [`CancelToken::cancelled`], for as long as the token is there: another handle of it would be counted under a lock.
    pub(super) fn until_cancelled(&self) -> impl Future<Output = ()> + Send + '_ {
        self.0.cancelled()
    }

    /// Completes when the token is cancelled.
    pub fn cancelled(&self) -> impl Future<Output = ()> + Send + 'static {
        self.0.clone().cancelled_owned()
    }

    /// Runs the work. `None` if the token was cancelled before the end; the work does not begin if it is cancelled already. A result that
    /// is there when the token is cancelled is kept.
    pub async fn unless_cancelled<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        if self.is_cancelled() {
            return None;
        }
        unless(work, self.0.cancelled()).await
    }
}

/// Runs the work until something else has happened. The work is looked at first: an answer that has come is not thrown away.
pub(super) async fn unless<T>(work: impl Future<Output = T>, end: impl Future<Output = ()>) -> Option<T> {
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
