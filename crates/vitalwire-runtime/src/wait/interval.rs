//! The interval between two polls.

use std::time::Duration;

use crate::error::Error;

/// The first interval: an analysis takes seconds, and polling more than once a second gains nothing.
const FLOOR: Duration = Duration::from_secs(1);
/// The longest interval: the delay after which an end is seen, at most.
const CEILING: Duration = Duration::from_secs(5);
/// Factor from one interval to the next.
const GROWTH: f64 = 1.5;
/// An interval is lengthened by up to this share, so that many clients do not poll in step.
const JITTER: f64 = 0.1;

/// Growing intervals.
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

    /// Rejects an interval without a pause.
    pub(super) fn check(&self) -> Result<(), Error> {
        match () {
            () if self.floor.is_zero() => Err(Error::invalid_argument("interval", "must be greater than zero")),
            () if self.ceiling < self.floor => Err(Error::invalid_argument("interval", "the ceiling is below the floor")),
            () => Ok(()),
        }
    }

    /// Returns the next interval.
    pub(super) fn next(&mut self) -> Duration {
        let wait = self.next;
        self.next = longer(wait, GROWTH).min(self.ceiling);
        longer(wait, 1.0 + JITTER * fastrand::f64())
    }
}

/// Multiplies an interval, up to the longest that can be expressed.
fn longer(wait: Duration, times: f64) -> Duration {
    Duration::try_from_secs_f64(wait.as_secs_f64() * times).unwrap_or(Duration::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grows_by_half_from_one_second_to_five() {
        let mut interval = PollInterval::default();
        // 1, 1.5, 2.25, 3.375, then 5.0625 cut to 5; each up to a tenth longer.
        for least in [1.0, 1.5, 2.25, 3.375, 5.0, 5.0] {
            let wait = interval.next().as_secs_f64();
            assert!((least - 1e-6..=least * 1.1 + 1e-6).contains(&wait), "{wait} for {least}");
        }
    }

    #[test]
    fn the_longest_wait_of_all_grows_no_more() {
        let mut interval = PollInterval::new(Duration::MAX, Duration::MAX);
        assert_eq!((interval.next(), interval.next()), (Duration::MAX, Duration::MAX));
    }

    #[test]
    fn asking_without_a_pause_is_refused() {
        let seconds = Duration::from_secs;
        assert!(PollInterval::new(seconds(0), seconds(5)).check().is_err());
        assert!(PollInterval::new(seconds(2), seconds(1)).check().is_err());
        assert!(PollInterval::new(seconds(1), seconds(1)).check().is_ok());
    }
}
