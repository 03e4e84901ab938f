//! Long work within a task.

use std::time::{Duration, Instant};

use tokio::task::yield_now;

/// Longest work without a look at deadlines and cancellation.
const QUANTUM: Duration = Duration::from_millis(5);

/// Interrupts long work, such as the decompression of a body whose bytes have all arrived: a deadline or a cancellation ends a future only
/// where it waits.
pub(super) struct Pace(Instant);

impl Pace {
    pub(super) fn start() -> Self {
        Self(Instant::now())
    }

    /// Yields to the runtime if the work has lasted for a while. Call it after each small piece of work.
    pub(super) async fn rest(&mut self) {
        if self.0.elapsed() >= QUANTUM {
            yield_now().await;
            *self = Self::start();
        }
    }
}
