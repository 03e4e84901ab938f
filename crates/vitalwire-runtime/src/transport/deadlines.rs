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
            scale: defaults::DEADLINE_SCALE,
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
pub(crate) struct GivenDeadlines {
    pub(crate) connect: Option<Duration>,
    pub(crate) attempt: Option<Duration>,
    pub(crate) total: Option<Duration>,
    pub(crate) long_attempt: Option<Duration>,
    pub(crate) long_total: Option<Duration>,
    pub(crate) scale: Option<f64>,
}

impl GivenDeadlines {
    /// Fills in scaled defaults. Upload timeouts default to the general ones, if those are set.
    pub(crate) fn or_defaults(&self) -> Deadlines {
        let by_default = Deadlines::default();
        let scale = self.scale.unwrap_or(by_default.scale);
        let by_default = Deadlines { scale, ..by_default };
        let given = |duration: Option<Duration>, default| duration.unwrap_or_else(|| by_default.scaled(default));
        Deadlines {
            connect: given(self.connect, by_default.connect),
            attempt: given(self.attempt, by_default.attempt),
            total: given(self.total, by_default.total),
            long_attempt: given(self.long_attempt.or(self.attempt), by_default.long_attempt),
            long_total: given(self.long_total.or(self.total), by_default.long_total),
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
pub(super) const NO_RUNTIME: &str = "an async call needs a tokio runtime: await it inside one, or use the blocking call";

/// The deadline that passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExpiredDeadline {
    Attempt,
    Total,
}

impl From<ExpiredDeadline> for Error {
    fn from(passed: ExpiredDeadline) -> Self {
        let reason = match passed {
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
            end: started.checked_add(options.at_most.map_or(total, |left| left.min(total))),
            connect: options.connect_timeout.unwrap_or(client.connect),
            attempt: options.attempt_timeout.unwrap_or(attempt),
        }
    }

    /// Returns the time left for the whole call.
    pub(crate) fn left(&self) -> Duration {
        self.end.map_or(Duration::MAX, |end| end.saturating_duration_since(Instant::now()))
    }

    /// Returns the earlier of an instant and the end of the call.
    pub(super) fn at_most(&self, moment: Instant) -> Instant {
        self.end.map_or(moment, |end| end.min(moment))
    }

    /// Returns an error if the total deadline has passed, so that nothing starts after it.
    pub(crate) fn check(&self) -> Result<(), ExpiredDeadline> {
        if self.left().is_zero() { Err(ExpiredDeadline::Total) } else { Ok(()) }
    }

    /// Runs a future within the total deadline only.
    pub(crate) fn within_total<F: Future>(&self, future: F) -> impl Future<Output = Result<F::Output, ExpiredDeadline>> {
        bounded(self.left(), ExpiredDeadline::Total, future)
    }

    /// Runs work of a call, such as reading a file, within its total deadline.
    pub(crate) async fn until_end<F: Future>(&self, work: F) -> Result<F::Output, Error> {
        if Handle::try_current().is_err() {
            return Err(Error::configuration(NO_RUNTIME));
        }
        self.within_total(work).await.map_err(Error::from)
    }

    /// Runs one attempt within its own deadline and the total deadline, whichever ends first.
    pub(crate) fn within_attempt<F: Future>(&self, future: F) -> impl Future<Output = Result<F::Output, ExpiredDeadline>> {
        let left = self.left();
        let (limit, passed) = if left <= self.attempt { (left, ExpiredDeadline::Total) } else { (self.attempt, ExpiredDeadline::Attempt) };
        bounded(limit, passed, future)
    }
}

/// Not an `async fn`, which would store its argument twice. The future is the largest part of a call.
fn bounded<F: Future>(limit: Duration, passed: ExpiredDeadline, future: F) -> impl Future<Output = Result<F::Output, ExpiredDeadline>> {
    // `timeout` accepts durations beyond the clock's range.
    tokio::time::timeout(limit, future).map(move |outcome| outcome.map_err(|_| passed))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by_default(class: DeadlineClass) -> CallClock {
        CallClock::start(&Deadlines::default(), class, &CallOptions::default())
    }

    /// Analyses typically take up to 60 s. This test checks the default attempt timeout, and the time left for the call after the slowest
    /// permitted connection. Cases `deadlines.defaults.*` check the rest on a scaled clock.
    #[test]
    fn an_upload_that_waits_65_seconds_for_its_analysis_is_inside_of_the_defaults() {
        let analysis = Duration::from_secs(65);
        let long = by_default(DeadlineClass::Long);
        assert!(long.attempt > analysis + long.connect);
        assert!(long.left() > analysis + long.connect);
        let short = by_default(DeadlineClass::Short);
        assert!(short.attempt < analysis && short.left() < analysis);
    }

    #[test]
    fn the_scale_is_for_what_is_not_given() {
        let seconds = Duration::from_secs;
        let slow = GivenDeadlines { scale: Some(3.0), ..GivenDeadlines::default() };
        let all = |it: Deadlines| [it.connect, it.attempt, it.total, it.long_attempt, it.long_total];
        assert_eq!(all(GivenDeadlines::default().or_defaults()), all(Deadlines::default()));
        assert_eq!(all(slow.or_defaults()), [30, 90, 180, 540, 720].map(seconds));
        let given = GivenDeadlines { attempt: Some(seconds(7)), long_total: Some(seconds(500)), ..slow };
        assert_eq!(all(given.or_defaults()), [30, 7, 180, 7, 500].map(seconds));
        assert_eq!(slow.or_defaults().scaled(seconds(300)), seconds(900));
        let endless = GivenDeadlines { scale: Some(f64::MAX), ..GivenDeadlines::default() };
        assert_eq!(all(endless.or_defaults()), [Duration::MAX; 5]);
    }
}
