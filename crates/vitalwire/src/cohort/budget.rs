//! The request budget of a cohort.

use crate::error::Error;

/// Limits on the requests of a cohort: the rate, and the number in flight. Retries and token exchanges count too.
///
/// A response with status 429 or 503 halves the rate. Later responses raise it again. `Retry-After` delays all requests of the cohort.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Budget {
    per_second: Option<f64>,
    in_flight: usize,
}

/// Default number of requests in flight.
const IN_FLIGHT: usize = 16;

/// Maximum time that a request waits for the rate limit. It must be well below the timeout of a call.
const MAX_WAIT_SECONDS: f64 = 10.0;

impl Default for Budget {
    fn default() -> Self {
        Self::new()
    }
}

impl Budget {
    /// Creates a budget with 16 requests in flight and no rate limit.
    #[must_use]
    pub fn new() -> Self {
        Self { per_second: None, in_flight: IN_FLIGHT }
    }

    /// Sets the maximum number of requests in any second.
    ///
    /// # Errors
    /// `invalid_argument` if the number is not from 0.001 to 1,000,000.
    pub fn per_second(self, requests: f64) -> Result<Self, Error> {
        if !(0.001..=1e6).contains(&requests) {
            return Err(Error::invalid_argument("per_second", "must be from 0.001 to 1,000,000"));
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

    /// Returns the share of the budget for one of `tasks` concurrent tasks.
    ///
    /// A rate above 1 is a whole number, so that the tasks together never exceed the budget in any second. With more tasks than requests a
    /// second, they may.
    #[must_use]
    pub fn share(self, tasks: usize) -> Self {
        let tasks = tasks.max(1);
        #[allow(clippy::cast_precision_loss, reason = "exact for any real number of tasks")]
        let share = self.per_second.map(|rate| rate / tasks as f64);
        let per_second = share.map(|share| if tasks > 1 && share > 1.0 { share.floor() } else { share });
        Self { per_second, in_flight: (self.in_flight / tasks).max(1) }
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
