//! The sandbox's own time: it runs with the machine's clock, faster, slower, or only when it is moved by hand. It never goes back.

mod error;
mod rate;

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use tokio::sync::watch;

pub use self::error::ClockError;
pub(crate) use self::rate::{ClockRate, MAX_SCALE};
use crate::store::{SEEN, Store, StoreError};
use crate::values::calendar::{noon, plus};

/// The name of the clock's rate in the database.
const RATE: &str = "clock";
/// Longest real sleep at a time: the machine's clock may be set, or the machine be suspended, meanwhile.
const MAX_SLEEP: Duration = Duration::from_secs(60);
/// Shortest one: a timer is no finer.
const MIN_SLEEP: Duration = Duration::from_millis(1);

/// One change of the clock.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Change {
    pub(crate) to: Option<Move>,
    /// Sandbox seconds per real second from now on; 0 stops the clock.
    pub(crate) scale: Option<f64>,
}

/// A move by hand.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Move {
    By(Duration),
    To(Timestamp),
}

/// What an earlier run left in the database.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Kept {
    rate: Option<ClockRate>,
    /// No instant beyond this one has been shown.
    seen: Option<Timestamp>,
}

impl Kept {
    /// Blocks.
    pub(crate) fn read(store: &Store) -> Self {
        Self { rate: store.recall(RATE), seen: store.recall(SEEN) }
    }

    /// The time that a clock goes on from: never before an instant that was seen. `None` in a new database.
    pub(crate) fn shown(&self, real: Timestamp) -> Option<Timestamp> {
        self.rate.map(|rate| rate.at(real)).max(self.seen)
    }
}

/// The clock. Changes wake everything that sleeps on it.
#[derive(Debug)]
pub(crate) struct Clock {
    state: Mutex<State>,
    /// Held while a change is stored and applied, so that the last change is the one stored.
    changes: Mutex<()>,
    first_scale: f64,
    moved: watch::Sender<()>,
}

#[derive(Debug)]
struct State {
    rate: ClockRate,
    /// The latest instant given out.
    seen: Timestamp,
}

impl Clock {
    /// Starts at noon UTC of `today` and stands still, or at the machine's time and runs with it, unless a scale is given. Never behind what
    /// an earlier run has shown, though the machine's clock may have been set back.
    pub(crate) fn start(today: Option<Date>, scale: Option<f64>, kept: &Kept) -> Result<Self, ClockError> {
        let real = Timestamp::now();
        let begin = today.map_or(real, noon);
        let here = kept.shown(real).map_or(begin, |kept| kept.max(begin));
        let scale = rate::check(scale.unwrap_or(if today.is_some() { 0.0 } else { 1.0 }))?;
        let moved = kept.rate.map_or(SignedDuration::ZERO, |rate| rate.moved);
        Ok(Self {
            state: Mutex::new(State { rate: ClockRate { real, here, scale, moved }, seen: here }),
            changes: Mutex::default(),
            first_scale: scale,
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

    /// Real time plus all moves by hand, whatever the scale: for links that people follow, and that a test lets expire.
    pub(crate) fn for_people(&self) -> Timestamp {
        plus(Timestamp::now(), self.state().rate.moved)
    }

    /// An instant of [`Self::for_people`] on the machine's clock.
    pub(crate) fn on_machine(&self, at: Timestamp) -> Timestamp {
        plus(at, -self.state().rate.moved)
    }

    /// The sandbox's date in UTC.
    pub(crate) fn today(&self) -> Date {
        self.now().to_zoned(TimeZone::UTC).date()
    }

    /// The present rate.
    fn rate(&self) -> ClockRate {
        self.state().rate
    }

    /// Stores the present rate, for a restart. Blocks on a file.
    pub(crate) fn remember(&self, store: &Store) -> Result<(), StoreError> {
        store.remember(RATE, &self.rate())
    }

    /// Sandbox seconds per real second.
    pub(crate) fn scale(&self) -> f64 {
        self.state().rate.scale
    }

    /// The latest instant that will have been given out so long from now, unless somebody moves the clock.
    pub(crate) fn seen_after(&self, ahead: Duration) -> Timestamp {
        let state = self.state();
        if ahead.is_zero() {
            return state.seen;
        }
        state.seen.max(state.rate.at(plus(Timestamp::now(), SignedDuration::try_from(ahead).unwrap_or(SignedDuration::MAX))))
    }

    /// Stores a change, then applies it: what is answered outlasts the program. Blocks on a file.
    pub(crate) fn change(&self, change: Change, store: &Store) -> Result<(), ClockError> {
        let _guard = self.changes.lock().unwrap_or_else(PoisonError::into_inner);
        let rate = self.plan(change)?;
        store.remember(RATE, &rate).map_err(ClockError::NotStored)?;
        self.take(rate);
        Ok(())
    }

    /// Runs as fast as at the start again. Blocks on a file.
    pub(crate) fn reset_scale(&self, store: &Store) -> Result<(), StoreError> {
        match self.change(Change { to: None, scale: Some(self.first_scale) }, store) {
            Err(ClockError::NotStored(error)) => Err(error),
            // No other error: the scale was valid at the start, and nothing moves.
            Ok(()) | Err(ClockError::Backwards | ClockError::Scale) => Ok(()),
        }
    }

    /// The rate after a change. Nothing changes until it is [taken](Self::take).
    fn plan(&self, change: Change) -> Result<ClockRate, ClockError> {
        let mut state = self.state();
        let (now, real) = (state.now(), Timestamp::now());
        let here = match change.to {
            None => now,
            Some(Move::By(by)) => plus(now, SignedDuration::try_from(by).unwrap_or(SignedDuration::MAX)),
            Some(Move::To(to)) if to < now => return Err(ClockError::Backwards),
            Some(Move::To(to)) => to,
        };
        let moved = state.rate.moved.saturating_add(now.duration_until(here));
        Ok(ClockRate { real, here, scale: rate::check(change.scale.unwrap_or(state.rate.scale))?, moved })
    }

    /// Goes on by a rate that was planned.
    fn take(&self, rate: ClockRate) {
        let mut state = self.state();
        // What was shown while the rate was being stored stays shown.
        state.now();
        state.rate = rate;
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
                (state.now(), state.rate.scale)
            };
            if at <= now {
                return;
            }
            let left = at.duration_since(now).as_secs_f64() / scale;
            let nap = Duration::try_from_secs_f64(left).unwrap_or(MAX_SLEEP).clamp(MIN_SLEEP, MAX_SLEEP);
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
        self.seen = self.seen.max(self.rate.at(Timestamp::now()));
        self.seen
    }
}

#[cfg(test)]
mod tests;
