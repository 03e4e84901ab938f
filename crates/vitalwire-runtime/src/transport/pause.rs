//! Pauses of a service: a `Retry-After` delays all calls of a client to that service.
//!
//! A response starts a pause if its status can be retried (429, 503 and others in the table of `error::status`). Its `Retry-After` must
//! be between 1 second and `retry_after_cap`. A 429 without that header delays only its own call, with the usual backoff. Each service
//! has its own pause; the token exchange belongs to `health`.
//!
//! | state | a new attempt | leaves the state when |
//! |---|---|---|
//! | open | is sent | a response asks for a pause: *paused* |
//! | paused | waits in the queue; fails with `rate_limited` if its deadline ends before the pause | the time is over: *probing* |
//! | probing | the first in the queue is sent alone, as the probe; others wait | the probe completes, see below |
//!
//! * A response head that asks for another pause ends *probing* with *paused*. Any other head ends it with *open*. So does a failure other
//!   than a deadline, and the end of [`MAX_PROBE_TIME`].
//! * The queue is first in, first out. If the response to a probe asks for another pause, its call goes to the end of the queue.
//! * A probe that is cancelled, dropped or times out makes the next call in the queue the probe.
//! * [`MAX_PROBE_TIME`] limits how long a slow probe can delay other calls, for example an upload or a future that is not polled.
//! * Pauses are numbered. A call is charged a retry only if its attempt was sent after the last pause began. A 429 to a request that was
//!   in flight at that time is no new information.
//! * Retries after a pause are not charged to the retry budget, since the probe limits their rate.

use std::pin::pin;
use std::time::Duration;

use futures_util::future::{Either, select};
use tokio::sync::{Semaphore, SemaphorePermit, watch};
use tokio::time::{Instant, timeout_at};

use super::deadlines::CallClock;
use crate::error::{Error, ErrorKind};

/// Maximum time to wait for the response to a probe. Then all waiting calls are sent.
const MAX_PROBE_TIME: Duration = Duration::from_secs(5);

/// Error reason for a `Retry-After` that exceeds the deadline of the call.
const BEYOND_DEADLINE: &str = "the service requested a longer pause than the deadline of the call allows";

pub(super) struct ServicePause {
    state: watch::Sender<State>,
    /// Queue of waiting calls. The first one holds the permit.
    queue: Semaphore,
}

#[derive(Clone, Copy, Default)]
struct State {
    /// Number of pauses so far.
    number: u64,
    /// End of the last pause; `None` once a probe has shown that calls are accepted.
    until: Option<Instant>,
}

impl State {
    /// Returns the end of the pause, or `None` if calls may be sent.
    fn paused_until(self) -> Option<Instant> {
        self.until.filter(|until| until.elapsed() < MAX_PROBE_TIME)
    }
}

/// Permission to send one attempt. Dropping the permit of a probe makes the next call in the queue the probe.
pub(super) struct PausePermit<'a> {
    pause: &'a ServicePause,
    /// Number of pauses when the attempt was sent.
    number: u64,
    /// Whether other calls wait for the response to this attempt.
    probe: Option<SemaphorePermit<'a>>,
}

/// Pause that a response requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RequestedPause {
    /// Length of the pause.
    pub(super) time: Duration,
    /// Whether the call is charged a retry.
    pub(super) charged: bool,
}

impl ServicePause {
    pub(super) fn new() -> Self {
        Self { state: watch::Sender::default(), queue: Semaphore::new(1) }
    }

    /// Returns a permit without waiting. Returns `None` during a pause.
    pub(super) fn try_acquire(&self) -> Option<PausePermit<'_>> {
        let state = *self.state.borrow();
        state.paused_until().is_none().then_some(PausePermit { pause: self, number: state.number, probe: None })
    }

    /// Waits for the end of the pause and, unless this call is the probe, for the response to the probe.
    pub(super) async fn acquire(&self, clock: &CallClock) -> Result<PausePermit<'_>, Error> {
        let mut changes = self.state.subscribe();
        let mut queue = pin!(self.queue.acquire());
        let mut first = None;
        loop {
            let state = *changes.borrow_and_update();
            let Some(until) = state.paused_until() else {
                clock.check()?;
                return Ok(PausePermit { pause: self, number: state.number, probe: None });
            };
            let left = until.saturating_duration_since(Instant::now());
            if !left.is_zero() && left >= clock.remaining() {
                return Err(Error::with_reason(ErrorKind::RateLimited, BEYOND_DEADLINE).with_retry_after(Some(left)));
            }
            clock.check()?;
            if left.is_zero() && first.is_some() {
                return Ok(PausePermit { pause: self, number: state.number, probe: first });
            }
            let wake = if first.is_some() { until } else { clock.earlier_of(until + MAX_PROBE_TIME) };
            let changed = pin!(timeout_at(wake, changes.changed()));
            if first.is_some() {
                // In either case, read the state again.
                let _ = changed.await;
            } else if let Either::Left((permit, _)) = select(queue.as_mut(), changed).await {
                first = Some(permit.map_err(|_| Error::internal("the queue of a paused service was closed"))?);
            }
        }
    }

    /// Starts a pause, or extends the current one. Returns whether a call is charged a retry if its attempt was sent after pause `number`.
    fn start(&self, time: Duration, number: u64) -> bool {
        let now = Instant::now();
        let mut charged = false;
        if let Some(until) = now.checked_add(time) {
            self.state.send_modify(|state| {
                charged = state.number == number;
                if charged || state.until.is_none_or(|end| end <= now) {
                    state.number += 1;
                }
                state.until = state.until.max(Some(until));
            });
        }
        charged
    }

    /// Ends pause `number`, unless a newer one has begun.
    fn end(&self, number: u64) {
        self.state.send_if_modified(|state| state.number == number && state.until.take().is_some());
    }
}

impl PausePermit<'_> {
    /// Whether no pause has begun since this permit was issued.
    pub(super) fn is_current(&self) -> bool {
        self.pause.state.borrow().number == self.number
    }

    /// Records the arrival of a response head, with the pause that it asks for.
    pub(super) fn record_response(&mut self, pause: Option<Duration>) -> Option<RequestedPause> {
        let requested = pause.map(|time| RequestedPause { time, charged: self.pause.start(time, self.number) });
        if requested.is_none() {
            self.record_failure();
        }
        self.probe = None;
        requested
    }

    /// Records a failure that is no evidence about the pause, so that other calls stop waiting for this probe.
    pub(super) fn record_failure(&mut self) {
        if self.probe.take().is_some() {
            self.pause.end(self.number);
        }
    }
}

#[cfg(test)]
mod tests;
