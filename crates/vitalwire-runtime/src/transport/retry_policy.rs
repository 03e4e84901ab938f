//! How often and after which waits a failed attempt is tried again.

use std::time::Duration;

/// When a failed attempt is tried again. Which operations may be is not part of it: see [`RetryClass`](crate::operation::RetryClass).
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct RetryPolicy {
    /// Tries after the first; 2 by default, 0 is never.
    pub max_retries: u32,
    /// Upper bound of the first wait, doubled at each further one; 250 ms by default. The wait is drawn evenly from 0 to that bound.
    pub base_delay: Duration,
    /// Largest such bound; 8 s by default.
    pub max_delay: Duration,
    /// Longest `Retry-After` that is waited for; 60 s by default. A longer one ends the call, with the wait on the error.
    pub retry_after_cap: Duration,
    /// How many retries all calls of a client may make while nothing succeeds; 100 by default. Successes fill it up again.
    pub budget: u32,
    /// All waits are multiplied by this; 1 outside tests.
    pub(crate) delay_scale: f64,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self {
            max_retries: 2,
            base_delay: Duration::from_millis(250),
            max_delay: Duration::from_secs(8),
            retry_after_cap: Duration::from_secs(60),
            budget: 100,
            delay_scale: 1.0,
        }
    }
}
