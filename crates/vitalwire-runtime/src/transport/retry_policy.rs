//! How often and after which waits a failed attempt is tried again.

use std::time::Duration;

/// When a failed attempt is tried again: `RetryPolicy::default().max_retries(5)`.
///
/// Which operations may be is not part of it: see [`RetryClass`](crate::operation::RetryClass). After which failures, see
/// [`Error::is_transient`](crate::error::Error::is_transient).
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct RetryPolicy {
    /// Tries after the first; 2 by default, 0 is never. A 429 with `Retry-After` to a request that was in flight when a pause of the client
    /// began is not counted.
    pub max_retries: u32,
    /// Upper bound of the first wait, doubled at each further one; 250 ms by default. The wait is drawn evenly from 0 to that bound.
    pub base_delay: Duration,
    /// Largest such bound; 8 s by default.
    pub max_delay: Duration,
    /// Longest `Retry-After` that is waited for; 60 s by default. A longer one ends the call, with the wait on the error.
    pub retry_after_cap: Duration,
    /// How many retries all calls of a client may make while nothing succeeds; 100 by default. Successes fill it up again. Retries after a
    /// `Retry-After` take nothing from it.
    pub budget: u32,
    /// All waits are multiplied by this; 1 outside tests.
    pub(crate) delay_scale: f64,
}

impl RetryPolicy {
    /// Sets [`max_retries`](field@Self::max_retries).
    #[must_use]
    pub fn max_retries(self, max_retries: u32) -> Self {
        Self { max_retries, ..self }
    }

    /// Sets [`base_delay`](field@Self::base_delay).
    #[must_use]
    pub fn base_delay(self, base_delay: Duration) -> Self {
        Self { base_delay, ..self }
    }

    /// Sets [`max_delay`](field@Self::max_delay).
    #[must_use]
    pub fn max_delay(self, max_delay: Duration) -> Self {
        Self { max_delay, ..self }
    }

    /// Sets [`retry_after_cap`](field@Self::retry_after_cap).
    #[must_use]
    pub fn retry_after_cap(self, retry_after_cap: Duration) -> Self {
        Self { retry_after_cap, ..self }
    }

    /// Sets [`budget`](field@Self::budget).
    #[must_use]
    pub fn budget(self, budget: u32) -> Self {
        Self { budget, ..self }
    }
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
