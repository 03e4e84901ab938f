//! The sandbox's own time: the machine's clock or a fixed instant, either of which can be moved by hand.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

/// Where the time comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Source {
    /// The machine's clock.
    Real,
    /// Stands still unless it is moved.
    Fixed(Timestamp),
}

/// A source and how far it has been moved forward.
#[derive(Debug)]
pub(crate) struct Clock {
    source: Source,
    moved: Mutex<SignedDuration>,
}

impl Clock {
    pub(crate) fn new(source: Source) -> Self {
        Self { source, moved: Mutex::new(SignedDuration::ZERO) }
    }

    /// The sandbox's present.
    pub(crate) fn now(&self) -> Timestamp {
        let base = match self.source {
            Source::Real => Timestamp::now(),
            Source::Fixed(at) => at,
        };
        let moved = *self.moved.lock().unwrap_or_else(PoisonError::into_inner);
        plus(base, moved)
    }

    /// Moves the present forward.
    pub(crate) fn advance(&self, by: Duration) {
        let by = SignedDuration::try_from(by).unwrap_or(SignedDuration::MAX);
        let mut moved = self.moved.lock().unwrap_or_else(PoisonError::into_inner);
        *moved = moved.saturating_add(by);
    }
}

/// Adds a duration; stops at the ends of the calendar.
pub(crate) fn plus(at: Timestamp, by: SignedDuration) -> Timestamp {
    at.checked_add(by).unwrap_or(if by.is_negative() { Timestamp::MIN } else { Timestamp::MAX })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fixed_clock_moves_only_by_hand() {
        let clock = Clock::new(Source::Fixed(Timestamp::UNIX_EPOCH));
        assert_eq!(clock.now(), Timestamp::UNIX_EPOCH);
        clock.advance(Duration::from_secs(90));
        clock.advance(Duration::from_secs(30));
        assert_eq!(clock.now().as_second(), 120);
        clock.advance(Duration::MAX);
        assert_eq!(clock.now(), Timestamp::MAX);
    }
}
