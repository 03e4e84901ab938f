//! The sandbox's clock. It follows the machine's clock at any speed, or is moved by hand, and never goes back.

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

/// Database key of the clock's rate.
const RATE: &str = "clock";
/// Maximum real sleep at a time, because the machine's clock may be set or the machine suspended meanwhile.
const MAX_SLEEP: Duration = Duration::from_secs(60);
/// Minimum real sleep: the resolution of the timer.
const MIN_SLEEP: Duration = Duration::from_millis(1);

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ClockChange {
    pub(crate) to: Option<ClockMove>,
    /// New speed in sandbox seconds per real second. 0 stops the clock.
    pub(crate) scale: Option<f64>,
}

/// A manual move of the clock.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ClockMove {
    By(Duration),
    To(Timestamp),
}

/// Clock state stored by an earlier run.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct StoredClock {
    rate: Option<ClockRate>,
    /// Upper limit of the instants that have been shown.
    seen: Option<Timestamp>,
}

impl StoredClock {
    /// Reads the stored state. Blocks.
    pub(crate) fn read(store: &Store) -> Self {
        Self { rate: store.read_setting(RATE), seen: store.read_setting(SEEN) }
    }

    /// Returns the time from which the clock continues, at least the last instant shown. `None` for a new database.
    pub(crate) fn resume_time(&self, real: Timestamp) -> Option<Timestamp> {
        self.rate.map(|rate| rate.at(real)).max(self.seen)
    }
}

/// Clock of a sandbox. Each change wakes all sleepers.
#[derive(Debug)]
pub(crate) struct Clock {
    state: Mutex<ClockState>,
    /// Held while a change is stored and applied, so that the last change applied is the one stored.
    changes: Mutex<()>,
    initial_scale: f64,
    moved: watch::Sender<()>,
}

#[derive(Debug)]
struct ClockState {
    rate: ClockRate,
    /// Latest instant returned.
    seen: Timestamp,
}

impl Clock {
    /// Starts the clock: stopped at noon UTC of `today`, or running with the machine's clock. `scale` overrides the speed.
    /// It never starts before an instant that an earlier run has shown, even if the machine's clock was set back.
    pub(crate) fn start(today: Option<Date>, scale: Option<f64>, stored: &StoredClock) -> Result<Self, ClockError> {
        let real = Timestamp::now();
        let begin = today.map_or(real, noon);
        let sandbox_time = stored.resume_time(real).map_or(begin, |stored| stored.max(begin));
        let scale = rate::check_scale(scale.unwrap_or(if today.is_some() { 0.0 } else { 1.0 }))?;
        let moved = stored.rate.map_or(SignedDuration::ZERO, |rate| rate.moved);
        Ok(Self {
            state: Mutex::new(ClockState { rate: ClockRate { machine_time: real, sandbox_time, scale, moved }, seen: sandbox_time }),
            changes: Mutex::default(),
            initial_scale: scale,
            moved: watch::Sender::new(()),
        })
    }

    /// Ignores poisoning: the state is changed in one step and stays consistent.
    fn state(&self) -> MutexGuard<'_, ClockState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.state().now()
    }

    /// Returns real time plus all moves by hand, whatever the scale. For links that people follow and that tests let expire.
    pub(crate) fn link_time(&self) -> Timestamp {
        plus(Timestamp::now(), self.state().rate.moved)
    }

    /// Converts an instant of [`Self::link_time`] to the machine's clock.
    pub(crate) fn to_machine_time(&self, at: Timestamp) -> Timestamp {
        plus(at, -self.state().rate.moved)
    }

    /// Returns the current UTC date.
    pub(crate) fn today(&self) -> Date {
        self.now().to_zoned(TimeZone::UTC).date()
    }

    fn rate(&self) -> ClockRate {
        self.state().rate
    }

    /// Stores the current rate for a restart. Blocks on a file.
    pub(crate) fn store_rate(&self, store: &Store) -> Result<(), StoreError> {
        store.write_setting(RATE, &self.rate())
    }

    /// Returns the speed in sandbox seconds per real second.
    pub(crate) fn scale(&self) -> f64 {
        self.state().rate.scale
    }

    /// Returns the latest instant that callers will have seen after this duration, unless the clock is moved.
    pub(crate) fn seen_after(&self, ahead: Duration) -> Timestamp {
        let state = self.state();
        if ahead.is_zero() {
            return state.seen;
        }
        state.seen.max(state.rate.at(plus(Timestamp::now(), SignedDuration::try_from(ahead).unwrap_or(SignedDuration::MAX))))
    }

    /// Stores a change and then applies it, so that a confirmed change survives the program. Blocks on a file.
    pub(crate) fn change(&self, change: ClockChange, store: &Store) -> Result<(), ClockError> {
        let _guard = self.changes.lock().unwrap_or_else(PoisonError::into_inner);
        let rate = self.plan_change(change)?;
        store.write_setting(RATE, &rate).map_err(ClockError::NotStored)?;
        self.apply(rate);
        Ok(())
    }

    /// Restores the initial speed. Blocks on a file.
    pub(crate) fn reset_scale(&self, store: &Store) -> Result<(), StoreError> {
        match self.change(ClockChange { to: None, scale: Some(self.initial_scale) }, store) {
            Err(ClockError::NotStored(error)) => Err(error),
            // Unreachable: the scale was valid at the start, and the clock is not moved.
            Ok(()) | Err(ClockError::Backwards | ClockError::Scale) => Ok(()),
        }
    }

    /// Returns the rate after a change. It takes effect with [`Self::apply`].
    fn plan_change(&self, change: ClockChange) -> Result<ClockRate, ClockError> {
        let mut state = self.state();
        let (now, real) = (state.now(), Timestamp::now());
        let sandbox_time = match change.to {
            None => now,
            Some(ClockMove::By(by)) => plus(now, SignedDuration::try_from(by).unwrap_or(SignedDuration::MAX)),
            Some(ClockMove::To(to)) if to < now => return Err(ClockError::Backwards),
            Some(ClockMove::To(to)) => to,
        };
        let moved = state.rate.moved.saturating_add(now.duration_until(sandbox_time));
        Ok(ClockRate { machine_time: real, sandbox_time, scale: rate::check_scale(change.scale.unwrap_or(state.rate.scale))?, moved })
    }

    /// Applies a planned rate.
    fn apply(&self, rate: ClockRate) {
        let mut state = self.state();
        // Instants shown while the rate was being stored stay in the past.
        state.now();
        state.rate = rate;
        drop(state);
        self.moved.send_replace(());
    }

    /// Sleeps until the sandbox's clock reaches an instant. If the clock is stopped, only a change of the clock wakes it.
    pub(crate) async fn sleep_until(&self, at: Timestamp) {
        // Subscribed before the first check, so that no change is missed.
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
            let pause = Duration::try_from_secs_f64(left).unwrap_or(MAX_SLEEP).clamp(MIN_SLEEP, MAX_SLEEP);
            tokio::select! {
                () = tokio::time::sleep(pause), if scale > 0.0 => {}
                // The sender lives as long as `self`.
                _ = moved.changed() => {}
            }
        }
    }
}

impl ClockState {
    fn now(&mut self) -> Timestamp {
        // The machine's clock may be set back.
        self.seen = self.seen.max(self.rate.at(Timestamp::now()));
        self.seen
    }
}

#[cfg(test)]
mod tests;
