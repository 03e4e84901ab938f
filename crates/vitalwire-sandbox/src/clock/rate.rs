//! How the sandbox's time follows from the machine's.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use super::ClockError;
use crate::values::calendar::plus;

/// Greatest speed: a year in half a minute.
pub(crate) const MAX_SCALE: f64 = 1e6;

/// From an instant of the machine's clock on, the sandbox's runs `scale` times as fast. Kept in the database under these names.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct ClockRate {
    /// The machine's clock at the beginning.
    pub(super) real: Timestamp,
    /// The sandbox's clock at the beginning.
    pub(super) here: Timestamp,
    /// Sandbox seconds per real second; 0 stops the clock.
    pub(super) scale: f64,
    /// Total of all moves by hand.
    #[serde(default)]
    pub(super) moved: SignedDuration,
}

impl ClockRate {
    /// The sandbox's time at an instant of the machine's clock.
    pub(super) fn at(&self, real: Timestamp) -> Timestamp {
        let elapsed = real.duration_since(self.real).max(SignedDuration::ZERO);
        plus(self.here, stretch(elapsed, self.scale))
    }
}

/// A scale within the limits.
pub(super) fn check(scale: f64) -> Result<f64, ClockError> {
    if (0.0..=MAX_SCALE).contains(&scale) { Ok(scale) } else { Err(ClockError::Scale) }
}

fn stretch(elapsed: SignedDuration, scale: f64) -> SignedDuration {
    if scale == 1.0 {
        elapsed
    } else {
        // Exact to the nanosecond for a hundred days; no difference shows beyond.
        SignedDuration::try_from_secs_f64(elapsed.as_secs_f64() * scale).unwrap_or(SignedDuration::MAX)
    }
}
