//! Rate limits of a cohort.

use std::time::Duration;

use vitalwire::error::Error;

use crate::defaults::REQUESTS_IN_FLIGHT;

/// Limits on the requests of a cohort: the rate, and the number in flight. Retries and token exchanges count too.
///
/// A response with status 429 or 503 halves the rate. Later responses raise it again. `Retry-After` delays all requests of the cohort.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RateLimits {
    per_second: Option<f64>,
    in_flight: usize,
}

/// Part of the rate that each of several tasks uses. Network delays can move requests of different machines into the same second.
const TASK_HEADROOM: f64 = 0.9;

/// Factor on the time between the requests of two executions of a task.
const TASK_DELAY: f64 = 1.05;

/// Maximum time that a request waits for the rate limit. It must be well below the timeout of a call.
const MAX_WAIT_SECONDS: f64 = 10.0;

impl Default for RateLimits {
    fn default() -> Self {
        Self::new()
    }
}

impl RateLimits {
    /// Creates limits with 16 requests in flight and no rate limit.
    #[must_use]
    pub fn new() -> Self {
        Self { per_second: None, in_flight: REQUESTS_IN_FLIGHT }
    }

    /// Sets the maximum number of requests in any second.
    ///
    /// # Errors
    /// `invalid_argument` if the number is not from 0.1 to 1,000,000. At a lower rate, calls would time out while they wait.
    pub fn per_second(self, requests: f64) -> Result<Self, Error> {
        if !(0.1..=1e6).contains(&requests) {
            return Err(Error::invalid_argument("per_second", "must be from 0.1 to 1,000,000"));
        }
        Ok(Self { per_second: Some(requests), ..self })
    }

    /// Sets the maximum number of requests in flight. Defaults to 16.
    ///
    /// # Errors
    /// `invalid_argument` for 0 requests, or more than 1,024.
    pub fn in_flight(self, requests: usize) -> Result<Self, Error> {
        if !(1..=1024).contains(&requests) {
            return Err(Error::invalid_argument("in_flight", "must be from 1 to 1,024"));
        }
        Ok(Self { in_flight: requests, ..self })
    }

    /// Returns the number of tasks that can share the limits, at most `tasks`. Each needs at least one request per second and one in flight.
    #[must_use]
    pub fn max_tasks(self, tasks: usize) -> usize {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a positive number, at most 1,000,000")]
        let rate = self.per_second.map_or(usize::MAX, |rate| rate as usize);
        tasks.min(rate).min(self.in_flight).max(1)
    }

    /// Returns the share of the limits for one of `tasks` concurrent tasks.
    ///
    /// Up to [`max_tasks`](Self::max_tasks) tasks together never exceed the limits in any second: a rate above 1 is a whole number, and
    /// each of several tasks uses 90% of it, because network delays can move requests of different machines into the same second.
    #[must_use]
    pub fn share(self, tasks: usize) -> Self {
        let tasks = tasks.max(1);
        if tasks == 1 {
            return self;
        }
        #[allow(clippy::cast_precision_loss, reason = "exact for any real number of tasks")]
        let share = self.per_second.map(|rate| rate / tasks as f64);
        let per_second = share.map(|share| TASK_HEADROOM * if share > 1.0 { share.floor() } else { share });
        Self { per_second, in_flight: (self.in_flight / tasks).max(1) }
    }

    /// Returns the time that a task waits before its first request. An earlier execution of the task may have just sent one.
    #[must_use]
    pub fn task_delay(self) -> Duration {
        self.per_second.map_or(Duration::ZERO, |rate| Duration::from_secs_f64(TASK_DELAY / rate))
    }

    /// Returns the maximum number of requests a second.
    #[must_use]
    pub fn requests_per_second(self) -> Option<f64> {
        self.per_second
    }

    /// Returns the maximum number of requests in flight. At low rates it is lower than the setting, so that no request times out while it
    /// waits for the rate limit.
    #[must_use]
    pub fn requests_in_flight(self) -> usize {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small positive number")]
        let within_timeout = self.per_second.map_or(usize::MAX, |rate| (rate * MAX_WAIT_SECONDS).ceil() as usize);
        self.in_flight.min(within_timeout).max(1)
    }
}
