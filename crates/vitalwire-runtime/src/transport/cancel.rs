//! Ending calls from elsewhere.

use std::fmt;
use std::future::Future;
use std::pin::pin;

use futures_util::future::{Either, select};
use tokio_util::sync::CancellationToken;

/// Ends calls from another task or thread. Give it to calls by [`CallOptions::cancel_token`](crate::client::CallOptions::cancel_token);
/// all clones are one token, and once cancelled it stays so.
///
/// A call that is dropped ends too, but tells nobody how far it came. Ended by a token, it fails with
/// [`ErrorKind::Cancelled`](crate::error::ErrorKind::Cancelled), and the error knows its attempts, the last status, and whether it may have
/// taken effect.
#[derive(Clone, Default)]
pub struct CancelToken(CancellationToken);

impl CancelToken {
    /// A token that is not cancelled.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A token that is cancelled with this one, and can be by itself.
    #[must_use]
    pub fn child(&self) -> Self {
        Self(self.0.child_token())
    }

    /// Ends the calls that have this token, and those yet to come.
    pub fn cancel(&self) {
        self.0.cancel();
    }

    /// Whether it was cancelled.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }

    /// Ready once it is cancelled, perhaps never.
    pub fn cancelled(&self) -> impl Future<Output = ()> + Send + 'static {
        self.0.clone().cancelled_owned()
    }

    /// What the work gives; `None` where this was cancelled before it ended. The token is looked at first: what is cancelled is not begun.
    pub async fn unless_cancelled<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        match select(pin!(self.0.cancelled()), pin!(work)).await {
            Either::Left(((), _)) => None,
            Either::Right((value, _)) => Some(value),
        }
    }
}

impl fmt::Debug for CancelToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CancelToken").field("cancelled", &self.is_cancelled()).finish()
    }
}
