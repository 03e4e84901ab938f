//! The three timeouts of a call: connect, attempt and total.

use std::future::Future;
use std::time::Duration;

use futures_util::FutureExt;
use tokio::runtime::Handle;
use tokio::time::Instant;

use super::CallOptions;
use crate::defaults;
use crate::error::{Error, ErrorKind};
use crate::operation::DeadlineClass;

/// The timeouts of a client.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadlines {
    pub(crate) connect: Duration,
    pub(crate) attempt: Duration,
    pub(crate) total: Duration,
    pub(crate) long_attempt: Duration,
    pub(crate) long_total: Duration,
    /// Multiplier for all default timeouts.
    pub(crate) scale: f64,
}

impl Default for Deadlines {
    fn default() -> Self {
        Self {
            connect: defaults::CONNECT_TIMEOUT,
            attempt: defaults::ATTEMPT_TIMEOUT,
            total: defaults::TIMEOUT,
            long_attempt: defaults::UPLOAD_ATTEMPT_TIMEOUT,
            long_total: defaults::UPLOAD_TIMEOUT,
            scale: defaults::TIMEOUT_SCALE,
        }
    }
}

impl Deadlines {
    /// Multiplies a default timeout by the scale, up to `Duration::MAX`.
    pub(crate) fn scaled(&self, default: Duration) -> Duration {
        Duration::try_from_secs_f64(default.as_secs_f64() * self.scale).unwrap_or(Duration::MAX)
    }
}

/// The timeouts set for a client, before defaults apply.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct DeadlineSettings {
    pub(crate) connect: Option<Duration>,
    pub(crate) attempt: Option<Duration>,
    pub(crate) total: Option<Duration>,
    pub(crate) long_attempt: Option<Duration>,
    pub(crate) long_total: Option<Duration>,
    pub(crate) scale: Option<f64>,
}

impl DeadlineSettings {
    /// Fills in scaled defaults. Upload timeouts default to the general ones, if those are set.
    pub(crate) fn or_defaults(&self) -> Deadlines {
        let base = Deadlines::default();
        let scale = self.scale.unwrap_or(base.scale);
        let base = Deadlines { scale, ..base };
        let resolve = |duration: Option<Duration>, default| duration.unwrap_or_else(|| base.scaled(default));
        Deadlines {
            connect: resolve(self.connect, base.connect),
            attempt: resolve(self.attempt, base.attempt),
            total: resolve(self.total, base.total),
            long_attempt: resolve(self.long_attempt.or(self.attempt), base.long_attempt),
            long_total: resolve(self.long_total.or(self.total), base.long_total),
            scale,
        }
    }
}

/// The deadlines of a call in flight.
#[derive(Clone, Copy)]
pub(crate) struct CallClock {
    pub(crate) started: Instant,
    /// End of the whole call; `None` if it is beyond the range of the clock.
    end: Option<Instant>,
    pub(crate) connect: Duration,
    pub(crate) attempt: Duration,
}

/// Error reason for a call outside of a tokio runtime, where timers and sockets would panic.
pub(super) const NO_RUNTIME: &str = "an async call needs a tokio runtime; await it inside one, or use the blocking call";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExpiredDeadline {
    Attempt,
    Total,
}

impl From<ExpiredDeadline> for Error {
    fn from(expired: ExpiredDeadline) -> Self {
        let reason = match expired {
            ExpiredDeadline::Attempt => "the attempt's deadline passed",
            ExpiredDeadline::Total => "the call's total deadline passed",
        };
        Self::with_reason(ErrorKind::Timeout, reason)
    }
}

impl CallClock {
    pub(crate) fn start(client: &Deadlines, class: DeadlineClass, options: &CallOptions) -> Self {
        let (attempt, total) = match class {
            DeadlineClass::Short => (client.attempt, client.total),
            DeadlineClass::Long => (client.long_attempt, client.long_total),
        };
        let started = Instant::now();
        let total = options.timeout.unwrap_or(total);
        Self {
            started,
            end: started.checked_add(options.remaining_time.map_or(total, |left| left.min(total))),
            connect: options.connect_timeout.unwrap_or(client.connect),
            attempt: options.attempt_timeout.unwrap_or(attempt),
        }
    }

    /// Returns the time left for the whole call.
    pub(crate) fn remaining(&self) -> Duration {
        self.end.map_or(Duration::MAX, |end| end.saturating_duration_since(Instant::now()))
    }

    /// Returns the earlier of an instant and the end of the call.
    pub(super) fn earlier_of(&self, moment: Instant) -> Instant {
        self.end.map_or(moment, |end| end.min(moment))
    }

    /// Returns an error if the total deadline has passed, so that nothing starts after it.
    pub(crate) fn check(&self) -> Result<(), ExpiredDeadline> {
        if self.remaining().is_zero() { Err(ExpiredDeadline::Total) } else { Ok(()) }
    }

    /// Runs a future within the total deadline only.
    pub(crate) fn within_total<F: Future>(&self, future: F) -> impl Future<Output = Result<F::Output, ExpiredDeadline>> {
        with_timeout(self.remaining(), ExpiredDeadline::Total, future)
    }

    /// Runs work of a call, such as reading a file, within its total deadline.
    pub(crate) async fn run_within_total<F: Future>(&self, work: F) -> Result<F::Output, Error> {
        if Handle::try_current().is_err() {
            return Err(Error::configuration(NO_RUNTIME));
        }
        self.within_total(work).await.map_err(Error::from)
    }

    /// Runs one attempt within its own deadline and the total deadline, whichever ends first.
    pub(crate) fn within_attempt<F: Future>(&self, future: F) -> impl Future<Output = Result<F::Output, ExpiredDeadline>> {
        let left = self.remaining();
        let (limit, expired) = if left <= self.attempt { (left, ExpiredDeadline::Total) } else { (self.attempt, ExpiredDeadline::Attempt) };
        with_timeout(limit, expired, future)
    }
}

/// Not an `async fn`, which would store its argument twice. The future is the largest part of a call.
fn with_timeout<F: Future>(
    limit: Duration,
    expired: ExpiredDeadline,
    future: F,
) -> impl Future<Output = Result<F::Output, ExpiredDeadline>> {
    // `timeout` accepts durations beyond the clock's range.
    tokio::time::timeout(limit, future).map(move |outcome| outcome.map_err(|_| expired))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn default_clock(class: DeadlineClass) -> CallClock {
        CallClock::start(&Deadlines::default(), class, &CallOptions::default())
    }

    /// Analyses typically take up to 60 s. This test checks the default attempt timeout, and the time left for the call after the slowest
    /// permitted connection. Cases `deadlines.defaults.*` check the rest on a scaled clock.
    #[test]
    fn the_default_timeouts_allow_an_upload_with_an_analysis_of_65_seconds() {
        let analysis = Duration::from_secs(65);
        let long = default_clock(DeadlineClass::Long);
        assert!(long.attempt > analysis + long.connect);
        assert!(long.remaining() > analysis + long.connect);
        let short = default_clock(DeadlineClass::Short);
        assert!(short.attempt < analysis && short.remaining() < analysis);
    }

    #[test]
    fn the_scale_applies_to_default_timeouts_only() {
        let seconds = Duration::from_secs;
        let slow = DeadlineSettings { scale: Some(3.0), ..DeadlineSettings::default() };
        let all = |d: Deadlines| [d.connect, d.attempt, d.total, d.long_attempt, d.long_total];
        assert_eq!(all(DeadlineSettings::default().or_defaults()), all(Deadlines::default()));
        assert_eq!(all(slow.or_defaults()), [30, 90, 180, 540, 720].map(seconds));
        let settings = DeadlineSettings { attempt: Some(seconds(7)), long_total: Some(seconds(500)), ..slow };
        assert_eq!(all(settings.or_defaults()), [30, 7, 180, 7, 500].map(seconds));
        assert_eq!(slow.or_defaults().scaled(seconds(300)), seconds(900));
        let endless = DeadlineSettings { scale: Some(f64::MAX), ..DeadlineSettings::default() };
        assert_eq!(all(endless.or_defaults()), [Duration::MAX; 5]);
    }
}
