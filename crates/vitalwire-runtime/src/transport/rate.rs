//! Rate limit of a client's requests.
//!
//! Requests are spaced evenly. A response with status 429 or 503 halves the rate, at most once a second. Each other response raises it by
//! 1%, up to the limit.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::deadlines::CallClock;
use crate::error::{Error, ErrorKind};

/// Error reason if a call would have to wait longer than its deadline.
const DEADLINE_BEFORE_REQUEST: &str = "the call's total deadline ends before the rate limit allows its request";

/// Factor on the time between requests. Network delays vary, and can move requests closer together.
const SPACING_FACTOR: f64 = 1.02;

/// Minimum rate, as a fraction of the limit.
const MIN_FRACTION: f64 = 0.02;

/// Rate limit that adapts to the status of responses.
pub(crate) struct RequestRate {
    /// Maximum number of requests per second.
    limit: f64,
    state: Mutex<State>,
}

struct State {
    /// Current number of requests per second.
    rate: f64,
    /// Earliest time of the next request. `None` before the first request.
    next: Option<Instant>,
    /// Time at which a response last halved the rate.
    reduced: Option<Instant>,
}

impl RequestRate {
    pub(crate) fn new(limit: f64) -> Self {
        Self { limit, state: Mutex::new(State { rate: limit, next: None, reduced: None }) }
    }

    /// Waits until the rate allows a request. Fails at once if the call's deadline is earlier.
    ///
    /// If the future is dropped, the reserved time stays unused.
    pub(super) async fn wait(&self, clock: &CallClock) -> Result<(), Error> {
        let start = {
            let mut state = self.state();
            let now = Instant::now();
            let start = state.next.map_or(now, |next| next.max(now));
            if start.saturating_duration_since(now) >= clock.remaining() {
                return Err(Error::with_reason(ErrorKind::Timeout, DEADLINE_BEFORE_REQUEST));
            }
            state.next = start.checked_add(Duration::from_secs_f64(SPACING_FACTOR / state.rate));
            start
        };
        tokio::time::sleep_until(start).await;
        Ok(clock.check()?)
    }

    /// Adjusts the rate to the status of a response.
    pub(super) fn record_status(&self, status: u16) {
        let mut state = self.state();
        if !matches!(status, 429 | 503) {
            state.rate = (state.rate * 1.01).min(self.limit);
        } else if state.reduced.is_none_or(|reduced| reduced.elapsed() >= Duration::from_secs(1)) {
            state.rate = (state.rate / 2.0).max(self.limit * MIN_FRACTION);
            state.reduced = Some(Instant::now());
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operation::DeadlineClass;
    use crate::transport::CallOptions;
    use crate::transport::deadlines::DeadlineSettings;

    fn clock(timeout: Duration) -> CallClock {
        CallClock::start(&DeadlineSettings::default().or_defaults(), DeadlineClass::Short, &CallOptions::new().timeout(timeout))
    }

    #[tokio::test(start_paused = true)]
    async fn requests_are_spaced_evenly() {
        let (rate, clock, start) = (RequestRate::new(10.0), clock(Duration::from_secs(60)), Instant::now());
        for _ in 0..11 {
            rate.wait(&clock).await.unwrap();
        }
        let elapsed = start.elapsed().as_secs_f64();
        assert!((1.01..1.04).contains(&elapsed), "{elapsed}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_fails_at_once_if_the_rate_allows_no_request_before_its_deadline() {
        let (rate, clock) = (RequestRate::new(0.1), clock(Duration::from_secs(5)));
        rate.wait(&clock).await.unwrap();
        assert_eq!(rate.wait(&clock).await.unwrap_err().kind(), ErrorKind::Timeout);
        assert_eq!(clock.started.elapsed().as_secs(), 0);
    }

    #[tokio::test(start_paused = true)]
    async fn a_429_halves_the_rate_at_most_once_a_second_and_successes_raise_it_again() {
        let rate = RequestRate::new(100.0);
        for status in [429, 503, 429] {
            rate.record_status(status);
        }
        assert_eq!(rate.state().rate, 50.0);
        tokio::time::advance(Duration::from_secs(1)).await;
        rate.record_status(429);
        assert_eq!(rate.state().rate, 25.0);
        for _ in 0..200 {
            rate.record_status(200);
        }
        assert_eq!(rate.state().rate, 100.0);
    }
}
