//! Async and blocking calls.

use std::time::Duration;

use super::calls::{CallOutcome, PendingCall};

/// How calls are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Futures.
    Async,
    /// Blocking calls. The future never suspends: it blocks the thread that polls it, which must not belong to an async runtime.
    Blocking,
}

impl Mode {
    /// Starts a call, or prepares a blocking one.
    pub(super) fn start<C: Send + 'static, T: 'static, F: Future<Output = T> + Send + 'static>(
        self,
        call: C,
        send: impl FnOnce(C) -> F,
        send_blocking: impl FnOnce(C) -> T + Send + 'static,
        outcome: impl FnOnce(T) -> CallOutcome + Send + 'static,
    ) -> PendingCall {
        match self {
            Self::Async => {
                let sent = send(call);
                Box::pin(async move { outcome(sent.await) })
            }
            Self::Blocking => Box::pin(async move { outcome(send_blocking(call)) }),
        }
    }

    /// Sleeps for a duration.
    pub async fn sleep(self, time: Duration) {
        match self {
            Self::Async => tokio::time::sleep(time).await,
            Self::Blocking => std::thread::sleep(time),
        }
    }
}
