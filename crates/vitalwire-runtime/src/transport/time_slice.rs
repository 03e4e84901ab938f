//! Cooperative yielding within long work.

use std::time::{Duration, Instant};

use tokio::task::yield_now;

/// Maximum time between checks of deadlines and cancellation.
const MAX_SLICE: Duration = Duration::from_millis(5);

/// Yields during long work, such as decompressing a body that has arrived completely. Deadlines and cancellation can end a future only
/// while it is suspended.
pub(super) struct TimeSlice(Instant);

impl TimeSlice {
    pub(super) fn start() -> Self {
        Self(Instant::now())
    }

    /// Yields to the runtime if the time slice is used up. Call it after each small piece of work.
    pub(super) async fn yield_if_over(&mut self) {
        if self.0.elapsed() >= MAX_SLICE {
            yield_now().await;
            *self = Self::start();
        }
    }
}
