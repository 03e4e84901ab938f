//! The sandbox's own time: it runs with the machine's clock, faster, slower, or only when it is moved by hand. It never goes back.

use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use tokio::sync::watch;

use crate::state::StoreError;

/// Greatest speed: a year in half a minute.
pub(crate) const FASTEST: f64 = 1e6;
/// Longest real sleep at a time: the machine's clock may be set, or the machine be suspended, meanwhile.
const NAP: Duration = Duration::from_secs(60);
/// Shortest one: a timer is no finer.
const BLINK: Duration = Duration::from_millis(1);

/// Why the sandbox's clock was not changed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ClockError {
    /// The instant lies before the sandbox's present, which callers have seen.
    Backwards,
    /// The speed is no number from 0 to 1,000,000.
    Scale,
    /// The change could not be kept: a restart would undo it.
    NotStored(StoreError),
}

impl fmt::Display for ClockError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Backwards => formatter.write_str("the sandbox's clock never goes back"),
            Self::Scale => formatter.write_str("the speed of the sandbox's clock is a number from 0 to 1000000"),
            Self::NotStored(error) => write!(formatter, "{error}"),
        }
    }
}

impl std::error::Error for ClockError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::NotStored(error) => Some(error),
            Self::Backwards | Self::Scale => None,
        }
    }
}

/// What is to become of the clock, in one step.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Change {
    pub(crate) to: Option<Move>,
    /// From now on this many seconds pass here in a real one; 0 stops the clock.
    pub(crate) scale: Option<f64>,
}

/// A move by hand.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Move {
    By(Duration),
    To(Timestamp),
}

/// How the sandbox's time follows from the machine's.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Line {
    /// An instant of the machine's clock,
    real: Timestamp,
    /// what the sandbox's clock showed then,
    here: Timestamp,
    /// and how many seconds pass here in a real one: 0 stands still.
    scale: f64,
    /// How far the clock was moved by hand so far.
    #[serde(default)]
    moved: SignedDuration,
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
    /// A saved line is gone on with: the clock is never behind it, nor behind the latest instant that is known to have been seen, though the
    /// machine's clock may have been set back.
    pub(crate) fn start(
        today: Option<Date>,
        scale: Option<f64>,
        saved: Option<&Line>,
        seen: Option<Timestamp>,
    ) -> Result<Self, ClockError> {
        let real = Timestamp::now();
        let begin = today.map_or(real, noon);
        let here = shown(real, saved, seen).map_or(begin, |kept| kept.max(begin));
        let scale = check(scale.unwrap_or(if today.is_some() { 0.0 } else { 1.0 }))?;
        Ok(Self {
            state: Mutex::new(State {
                line: Line { real, here, scale, moved: saved.map_or(SignedDuration::ZERO, |line| line.moved) },
                seen: here,
            }),
            moved: watch::Sender::new(()),
        })
    }

    /// A panic elsewhere leaves the state whole: it is changed in one step.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The sandbox's present.
    pub(crate) fn now(&self) -> Timestamp {
        self.state().now()
    }

    /// The machine's time, ahead by what this clock was moved by hand, whatever its speed: for what people need real time for, and what
    /// a test moves on.
    pub(crate) fn for_people(&self) -> Timestamp {
        plus(Timestamp::now(), self.state().line.moved)
    }

    /// How far the clock was moved by hand so far.
    pub(crate) fn moved(&self) -> SignedDuration {
        self.state().line.moved
    }

    /// What has to be kept for the clock to go on after a restart.
    pub(crate) fn line(&self) -> Line {
        self.state().line
    }

    /// How many seconds pass here in a real one.
    pub(crate) fn scale(&self) -> f64 {
        self.state().line.scale
    }

    /// The latest instant that was given out.
    pub(crate) fn seen(&self) -> Timestamp {
        self.state().seen
    }

    /// What the line becomes by a change. Nothing changes until it is [taken](Self::take), so that it can be kept before.
    pub(crate) fn plan(&self, change: Change) -> Result<Line, ClockError> {
        let mut state = self.state();
        let (now, real) = (state.now(), Timestamp::now());
        let here = match change.to {
            None => now,
            Some(Move::By(by)) => plus(now, SignedDuration::try_from(by).unwrap_or(SignedDuration::MAX)),
            Some(Move::To(to)) if to < now => return Err(ClockError::Backwards),
            Some(Move::To(to)) => to,
        };
        let moved = state.line.moved.saturating_add(now.duration_until(here));
        Ok(Line { real, here, scale: check(change.scale.unwrap_or(state.line.scale))?, moved })
    }

    /// Goes on by a line that was planned.
    pub(crate) fn take(&self, line: Line) {
        let mut state = self.state();
        // What was shown while the line was being kept stays shown.
        state.now();
        state.line = line;
        drop(state);
        self.moved.send_replace(());
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
}

/// Noon UTC of a date.
pub(crate) fn noon(date: Date) -> Timestamp {
    TimeZone::UTC.to_timestamp(date.at(12, 0, 0, 0)).unwrap_or_default()
}

/// What a clock shows that was left with this line, and of which that instant is known to have been seen.
pub(crate) fn shown(real: Timestamp, saved: Option<&Line>, seen: Option<Timestamp>) -> Option<Timestamp> {
    saved.map(|line| line.at(real)).max(seen)
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

    /// Plans and takes at once.
    fn change(clock: &Clock, to: Option<Move>, scale: Option<f64>) -> Result<(), ClockError> {
        clock.plan(Change { to, scale }).map(|line| clock.take(line))
    }

    fn advance(clock: &Clock, by: Duration) {
        change(clock, Some(Move::By(by)), None).unwrap();
    }

    fn standing() -> Clock {
        Clock::start(Some(DAY), None, None, None).unwrap()
    }

    #[test]
    fn a_standing_clock_moves_only_by_hand_and_never_back() {
        let clock = standing();
        assert_eq!(clock.now(), noon());
        advance(&clock, Duration::from_secs(90));
        advance(&clock, Duration::from_secs(30));
        assert_eq!(clock.now().as_second() - noon().as_second(), 120);
        assert_eq!(change(&clock, Some(Move::To(noon())), None), Err(ClockError::Backwards));
        let later = plus(noon(), SignedDuration::from_hours(1));
        assert_eq!(change(&clock, Some(Move::To(later)), None), Ok(()));
        assert_eq!(clock.now(), later);
        advance(&clock, Duration::MAX);
        assert_eq!(clock.now(), Timestamp::MAX);
    }

    #[test]
    fn a_line_is_as_steep_as_its_scale() {
        let line = Line { real: Timestamp::UNIX_EPOCH, here: noon(), scale: 60.0, moved: SignedDuration::ZERO };
        let real = Timestamp::from_second(90).unwrap();
        assert_eq!(line.at(real), plus(noon(), SignedDuration::from_mins(90)));
        assert_eq!(line.at(Timestamp::MIN), noon());
        assert_eq!(Line { scale: 0.0, ..line }.at(real), noon());
        assert_eq!(Line { scale: 1.0, ..line }.at(real), plus(noon(), SignedDuration::from_secs(90)));
    }

    #[test]
    fn speeds_have_limits() {
        for scale in [-1.0, f64::NAN, f64::INFINITY, 1_000_001.0] {
            assert_eq!(change(&standing(), None, Some(scale)), Err(ClockError::Scale), "{scale}");
            assert!(Clock::start(None, Some(scale), None, None).is_err());
        }
        let clock = standing();
        change(&clock, None, Some(1e6)).unwrap();
        std::thread::sleep(Duration::from_millis(2));
        assert!(clock.now() >= plus(noon(), SignedDuration::from_secs(2_000)));
        change(&clock, None, Some(0.0)).unwrap();
        assert_eq!(clock.now(), clock.now());
    }

    #[test]
    fn a_restart_goes_on_where_the_clock_was() {
        let clock = standing();
        advance(&clock, Duration::from_secs(3_600));
        let later = clock.now();
        let again = Clock::start(Some(DAY), None, Some(&clock.line()), None).unwrap();
        assert_eq!(again.now(), later);
        // A later day than before is taken, an earlier one is not.
        let next = Clock::start(Some(date(2025, 12, 1)), None, Some(&clock.line()), None).unwrap();
        assert_eq!(next.now().to_string(), "2025-12-01T12:00:00Z");
        let before = Clock::start(Some(date(2025, 11, 1)), None, Some(&clock.line()), None).unwrap();
        assert_eq!(before.now(), later);
    }

    #[test]
    fn a_machine_that_was_set_back_does_not_set_the_clock_back() {
        let clock = Clock::start(Some(DAY), Some(1e6), None, None).unwrap();
        let saved = Line { real: plus(Timestamp::now(), SignedDuration::from_hours(2)), ..clock.line() };
        std::thread::sleep(Duration::from_millis(5));
        let seen = clock.now();
        assert!(seen > noon());
        let behind = Clock::start(Some(DAY), None, Some(&saved), None).unwrap();
        assert_eq!(behind.now(), noon(), "the line alone forgets it");
        let again = Clock::start(Some(DAY), None, Some(&saved), Some(seen)).unwrap();
        assert_eq!(again.now(), seen);
    }

    #[test]
    fn what_is_shown_while_a_change_is_kept_stays_shown() {
        let clock = Clock::start(Some(DAY), Some(1e6), None, None).unwrap();
        let stop = clock.plan(Change { scale: Some(0.0), ..Change::default() }).unwrap();
        std::thread::sleep(Duration::from_millis(5));
        let meanwhile = clock.now();
        clock.take(stop);
        assert!(clock.now() >= meanwhile);
        assert_eq!(clock.now(), clock.now());
    }

    #[tokio::test]
    async fn a_sleeper_wakes_when_the_clock_is_moved_far_enough() {
        let clock = std::sync::Arc::new(standing());
        let sleeper = tokio::spawn({
            let clock = std::sync::Arc::clone(&clock);
            async move { clock.sleep_until(plus(noon(), SignedDuration::from_secs(10))).await }
        });
        for _ in 0..9 {
            advance(&clock, Duration::from_secs(1));
            tokio::time::sleep(Duration::from_millis(2)).await;
            assert!(!sleeper.is_finished());
        }
        advance(&clock, Duration::from_secs(1));
        tokio::time::timeout(Duration::from_secs(5), sleeper).await.unwrap().unwrap();
    }

    #[tokio::test]
    async fn a_sleeper_wakes_on_a_fast_clock() {
        let clock = Clock::start(Some(DAY), Some(3_600.0), None, None).unwrap();
        let minute = plus(noon(), SignedDuration::from_mins(1));
        tokio::time::timeout(Duration::from_secs(5), clock.sleep_until(minute)).await.unwrap();
        assert!(clock.now() >= minute);
        // Standing clocks that begin to run wake too.
        change(&clock, None, Some(0.0)).unwrap();
        let more = plus(clock.now(), SignedDuration::from_mins(1));
        let (_, result) = tokio::join!(tokio::time::timeout(Duration::from_secs(5), clock.sleep_until(more)), async {
            tokio::time::sleep(Duration::from_millis(5)).await;
            change(&clock, None, Some(3_600.0))
        });
        result.unwrap();
        assert!(clock.now() >= more);
    }
}
