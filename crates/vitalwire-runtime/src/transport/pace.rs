//! Cooperative yielding within long work.

use std::time::{Duration, Instant};

use tokio::task::yield_now;

/// Maximum time between checks of deadlines and cancellation.
const QUANTUM: Duration = Duration::from_millis(5);

/// Yields during long work, such as decompressing a body that has arrived completely. Deadlines and cancellation can end a future only
/// while it is suspended.
pub(super) struct Pace(Instant);

impl Pace {
    pub(super) fn start() -> Self {
        Self(Instant::now())
    }

    /// Yields to the runtime if the time slice is used up. Call it after each small piece of work.
    pub(super) async fn rest(&mut self) {
        if self.0.elapsed() >= QUANTUM {
            yield_now().await;
            *self = Self::start();
        }
    }
}
