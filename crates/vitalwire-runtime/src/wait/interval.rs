//! Interval between two polls.

use std::time::Duration;

use crate::error::Error;

/// First interval. An analysis takes seconds, so polling more often than once a second gains nothing.
const FLOOR: Duration = Duration::from_secs(1);
/// Maximum interval, and thus the maximum delay until the end of an analysis is noticed.
const CEILING: Duration = Duration::from_secs(5);
/// Growth factor from one interval to the next.
const GROWTH: f64 = 1.5;
/// Maximum random extension of an interval, as a fraction. It keeps clients from polling in lockstep.
const JITTER: f64 = 0.1;

/// A sequence of growing intervals.
#[derive(Clone, Copy, Debug)]
pub(super) struct PollInterval {
    floor: Duration,
    ceiling: Duration,
    next: Duration,
}

impl Default for PollInterval {
    fn default() -> Self {
        Self::new(FLOOR, CEILING)
    }
}

impl PollInterval {
    pub(super) fn new(floor: Duration, ceiling: Duration) -> Self {
        Self { floor, ceiling, next: floor }
    }

    /// Rejects a zero interval and a ceiling below the floor.
    pub(super) fn check(&self) -> Result<(), Error> {
        match () {
            () if self.floor.is_zero() => Err(Error::invalid_argument("interval", "must be greater than zero")),
            () if self.ceiling < self.floor => {
                Err(Error::invalid_argument("interval", "the longest interval must not be shorter than the first"))
            }
            () => Ok(()),
        }
    }

    pub(super) fn next(&mut self) -> Duration {
        let wait = self.next;
        self.next = scale(wait, GROWTH).min(self.ceiling);
        scale(wait, 1.0 + JITTER * fastrand::f64())
    }
}

/// Multiplies an interval, up to the maximum duration.
fn scale(interval: Duration, factor: f64) -> Duration {
    Duration::try_from_secs_f64(interval.as_secs_f64() * factor).unwrap_or(Duration::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_grows_by_half_from_one_second_to_five() {
        let mut interval = PollInterval::default();
        // 1, 1.5, 2.25, 3.375, then 5.0625 capped to 5; each extended by up to a tenth.
        for min in [1.0, 1.5, 2.25, 3.375, 5.0, 5.0] {
            let wait = interval.next().as_secs_f64();
            assert!((min - 1e-6..=min * 1.1 + 1e-6).contains(&wait), "{wait} for {min}");
        }
    }

    #[test]
    fn the_maximum_duration_does_not_overflow() {
        let mut interval = PollInterval::new(Duration::MAX, Duration::MAX);
        assert_eq!((interval.next(), interval.next()), (Duration::MAX, Duration::MAX));
    }

    #[test]
    fn a_zero_interval_and_a_ceiling_below_the_floor_are_rejected() {
        let seconds = Duration::from_secs;
        assert!(PollInterval::new(seconds(0), seconds(5)).check().is_err());
        assert!(PollInterval::new(seconds(2), seconds(1)).check().is_err());
        assert!(PollInterval::new(seconds(1), seconds(1)).check().is_ok());
    }
}
