//! The retry policy of a client.

use std::time::Duration;

use crate::defaults;

/// Number of retries and delays between them: `RetryPolicy::default().max_retries(5)`.
///
/// [`RetryClass`](crate::operation::RetryClass) lists the operations that are retried. The table at
/// [`Error::is_transient`](crate::error::Error::is_transient) lists the failures after which they are retried.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct RetryPolicy {
    /// Maximum number of retries of a call. 0 disables retries. Defaults to 2.
    ///
    /// A 429 with `Retry-After` to a request that was in flight when a pause of the client began is not counted.
    pub max_retries: u32,
    /// Maximum backoff delay before the first retry, doubled for each further retry. The actual delay is random between 0 and this maximum.
    /// Defaults to 250 milliseconds.
    pub base_delay: Duration,
    /// Maximum backoff delay. Defaults to 8 seconds.
    pub max_delay: Duration,
    /// Maximum `Retry-After` delay to wait for. If the service asks for a longer delay, the call fails and the error has the delay.
    /// Defaults to 60 seconds.
    pub retry_after_cap: Duration,
    /// Maximum number of retries of all calls together while no call succeeds. Successful calls refill this budget. Defaults to 100.
    ///
    /// Retries after a `Retry-After` are not charged to the budget.
    pub budget: u32,
    /// Multiplier for all delays between attempts, for tests.
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
            max_retries: defaults::MAX_RETRIES,
            base_delay: defaults::RETRY_BASE_DELAY,
            max_delay: defaults::RETRY_MAX_DELAY,
            retry_after_cap: defaults::RETRY_AFTER_CAP,
            budget: defaults::RETRY_BUDGET,
            delay_scale: defaults::RETRY_DELAY_SCALE,
        }
    }
}
