//! The sandbox's own time: it runs with the machine's clock, faster, slower, or only when it is moved by hand. It never goes back.

use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use tokio::sync::watch;

/// Greatest speed: a year in half a minute.
pub(crate) const FASTEST: f64 = 1e6;
/// Longest real sleep at a time: the machine's clock may be set, or the machine be suspended, meanwhile.
const NAP: Duration = Duration::from_secs(60);
/// Shortest one: a timer is no finer.
const BLINK: Duration = Duration::from_millis(1);

/// Why the sandbox's clock was not changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ClockError {
    /// The instant lies before the sandbox's present, which callers have seen.
    Backwards,
    /// The speed is no number from 0 to 1,000,000.
    Scale,
}

impl fmt::Display for ClockError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Backwards => "the sandbox's clock never goes back",
            Self::Scale => "the speed of the sandbox's clock is a number from 0 to 1000000",
        })
    }
}

impl std::error::Error for ClockError {}

/// How the sandbox's time follows from the machine's.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Line {
    /// An instant of the machine's clock,
    real: Timestamp,
    /// what the sandbox's clock showed then,
    here: Timestamp,
    /// and how many seconds pass here in a real one: 0 stands still.
    scale: f64,
}

impl Line {
    fn at(&self, real: Timestamp) -> Timestamp {
        let elapsed = real.duration_since(self.real).max(SignedDuration::ZERO);
        plus(self.here, stretch(elapsed, self.scale))
    }
}

/// The clock. Changes wake everything that sleeps on it.
#[derive(Debug)]
pub(crate) struct Clock {
    state: Mutex<State>,
    moved: watch::Sender<()>,
}

#[derive(Debug)]
struct State {
    line: Line,
    /// The latest instant given out.
    seen: Timestamp,
}

impl Clock {
    /// A clock that shows noon UTC of `today`, or the machine's time, and stands still in the first case unless a speed is given.
    /// A saved line is gone on with: the clock is never behind it.
    pub(crate) fn start(today: Option<Date>, scale: Option<f64>, saved: Option<&Line>) -> Result<Self, ClockError> {
        let real = Timestamp::now();
        let begin = today.map_or(real, |date| TimeZone::UTC.to_timestamp(date.at(12, 0, 0, 0)).unwrap_or_default());
        let here = saved.map_or(begin, |line| line.at(real).max(begin));
        let scale = check(scale.unwrap_or(if today.is_some() { 0.0 } else { 1.0 }))?;
        Ok(Self { state: Mutex::new(State { line: Line { real, here, scale }, seen: here }), moved: watch::Sender::new(()) })
    }

    /// A panic elsewhere leaves the state whole: it is changed in one step.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The sandbox's present.
    pub(crate) fn now(&self) -> Timestamp {
        self.state().now()
    }

    /// What has to be kept for the clock to go on after a restart.
    pub(crate) fn line(&self) -> Line {
        self.state().line
    }

    /// How many seconds pass here in a real one.
    pub(crate) fn scale(&self) -> f64 {
        self.state().line.scale
    }

    /// Moves the present forward.
    pub(crate) fn advance(&self, by: Duration) {
        let mut state = self.state();
        let to = plus(state.now(), SignedDuration::try_from(by).unwrap_or(SignedDuration::MAX));
        let scale = state.line.scale;
        state.restart(to, scale);
        drop(state);
        self.moved.send_replace(());
    }

    /// Moves the present to an instant that is not before it.
    pub(crate) fn set(&self, to: Timestamp) -> Result<(), ClockError> {
        let mut state = self.state();
        if to < state.now() {
            return Err(ClockError::Backwards);
        }
        let scale = state.line.scale;
        state.restart(to, scale);
        drop(state);
        self.moved.send_replace(());
        Ok(())
    }

    /// From now on this many seconds pass here in a real one; 0 stops the clock.
    pub(crate) fn set_scale(&self, scale: f64) -> Result<(), ClockError> {
        let scale = check(scale)?;
        let mut state = self.state();
        let now = state.now();
        state.restart(now, scale);
        drop(state);
        self.moved.send_replace(());
        Ok(())
    }

    /// Sleeps until the sandbox's clock shows this instant or a later one, however it gets there. On a clock that stands still, only
    /// somebody who moves it ends this.
    pub(crate) async fn sleep_until(&self, at: Timestamp) {
        // Before the first look: a move between look and sleep is not missed.
        let mut moved = self.moved.subscribe();
        loop {
            let (now, scale) = {
                let mut state = self.state();
                (state.now(), state.line.scale)
            };
            if at <= now {
                return;
            }
            let left = at.duration_since(now).as_secs_f64() / scale;
            let nap = Duration::try_from_secs_f64(left).unwrap_or(NAP).clamp(BLINK, NAP);
            tokio::select! {
                () = tokio::time::sleep(nap), if scale > 0.0 => {}
                // The sender lives as long as `self`.
                _ = moved.changed() => {}
            }
        }
    }
}

impl State {
    fn now(&mut self) -> Timestamp {
        // The machine's own clock may be set back.
        self.seen = self.seen.max(self.line.at(Timestamp::now()));
        self.seen
    }

    fn restart(&mut self, here: Timestamp, scale: f64) {
        self.line = Line { real: Timestamp::now(), here, scale };
        self.seen = here;
    }
}

fn check(scale: f64) -> Result<f64, ClockError> {
    if (0.0..=FASTEST).contains(&scale) { Ok(scale) } else { Err(ClockError::Scale) }
}

fn stretch(elapsed: SignedDuration, scale: f64) -> SignedDuration {
    if scale == 1.0 {
        elapsed
    } else {
        // Exact to the nanosecond for a hundred days; no one could tell beyond.
        SignedDuration::try_from_secs_f64(elapsed.as_secs_f64() * scale).unwrap_or(SignedDuration::MAX)
    }
}

/// Adds a duration; stops at the ends of the calendar.
pub(crate) fn plus(at: Timestamp, by: SignedDuration) -> Timestamp {
    at.checked_add(by).unwrap_or(if by.is_negative() { Timestamp::MIN } else { Timestamp::MAX })
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    const DAY: Date = date(2025, 11, 21);

    fn noon() -> Timestamp {
        "2025-11-21T12:00:00Z".parse().unwrap()
    }

    fn standing() -> Clock {
        Clock::start(Some(DAY), None, None).unwrap()
    }

    #[test]
    fn a_standing_clock_moves_only_by_hand_and_never_back() {
        let clock = standing();
        assert_eq!(clock.now(), noon());
        clock.advance(Duration::from_secs(90));
        clock.advance(Duration::from_secs(30));
        assert_eq!(clock.now().as_second() - noon().as_second(), 120);
        assert_eq!(clock.set(noon()), Err(ClockError::Backwards));
        let later = plus(noon(), SignedDuration::from_hours(1));
        assert_eq!(clock.set(later), Ok(()));
        assert_eq!(clock.now(), later);
        clock.advance(Duration::MAX);
        assert_eq!(clock.now(), Timestamp::MAX);
    }

    #[test]
    fn a_line_is_as_steep_as_its_scale() {
        let line = Line { real: Timestamp::UNIX_EPOCH, here: noon(), scale: 60.0 };
        let real = Timestamp::from_second(90).unwrap();
        assert_eq!(line.at(real), plus(noon(), SignedDuration::from_mins(90)));
        assert_eq!(line.at(Timestamp::MIN), noon());
        assert_eq!(Line { scale: 0.0, ..line }.at(real), noon());
        assert_eq!(Line { scale: 1.0, ..line }.at(real), plus(noon(), SignedDuration::from_secs(90)));
    }

    #[test]
    fn speeds_have_limits() {
        for scale in [-1.0, f64::NAN, f64::INFINITY, 1_000_001.0] {
            assert_eq!(standing().set_scale(scale), Err(ClockError::Scale), "{scale}");
            assert!(Clock::start(None, Some(scale), None).is_err());
        }
        let clock = standing();
        clock.set_scale(1e6).unwrap();
        std::thread::sleep(Duration::from_millis(2));
        assert!(clock.now() >= plus(noon(), SignedDuration::from_secs(2_000)));
        clock.set_scale(0.0).unwrap();
        assert_eq!(clock.now(), clock.now());
    }

    #[test]
    fn a_restart_goes_on_where_the_clock_was() {
        let clock = standing();
        clock.advance(Duration::from_secs(3_600));
        let later = clock.now();
        let again = Clock::start(Some(DAY), None, Some(&clock.line())).unwrap();
        assert_eq!(again.now(), later);
        // A later day than before is taken, an earlier one is not.
        let next = Clock::start(Some(date(2025, 12, 1)), None, Some(&clock.line())).unwrap();
        assert_eq!(next.now().to_string(), "2025-12-01T12:00:00Z");
        let before = Clock::start(Some(date(2025, 11, 1)), None, Some(&clock.line())).unwrap();
        assert_eq!(before.now(), later);
    }

    #[tokio::test]
    async fn a_sleeper_wakes_when_the_clock_is_moved_far_enough() {
        let clock = std::sync::Arc::new(standing());
        let sleeper = tokio::spawn({
            let clock = std::sync::Arc::clone(&clock);
            async move { clock.sleep_until(plus(noon(), SignedDuration::from_secs(10))).await }
        });
        for _ in 0..9 {
            clock.advance(Duration::from_secs(1));
            tokio::time::sleep(Duration::from_millis(2)).await;
            assert!(!sleeper.is_finished());
        }
        clock.advance(Duration::from_secs(1));
        tokio::time::timeout(Duration::from_secs(5), sleeper).await.unwrap().unwrap();
    }

    #[tokio::test]
    async fn a_sleeper_wakes_on_a_fast_clock() {
        let clock = Clock::start(Some(DAY), Some(3_600.0), None).unwrap();
        let minute = plus(noon(), SignedDuration::from_mins(1));
        tokio::time::timeout(Duration::from_secs(5), clock.sleep_until(minute)).await.unwrap();
        assert!(clock.now() >= minute);
        // Standing clocks that begin to run wake too.
        clock.set_scale(0.0).unwrap();
        let more = plus(clock.now(), SignedDuration::from_mins(1));
        let (_, result) = tokio::join!(tokio::time::timeout(Duration::from_secs(5), clock.sleep_until(more)), async {
            tokio::time::sleep(Duration::from_millis(5)).await;
            clock.set_scale(3_600.0)
        });
        result.unwrap();
        assert!(clock.now() >= more);
    }
}
