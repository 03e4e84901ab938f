//! [`ClockRate`]: conversion of the machine's time to the sandbox's time.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use super::ClockError;
use crate::values::calendar::plus;

/// Maximum speed: a year in half a minute.
pub(crate) const MAX_SCALE: f64 = 1e6;

/// Rate of the sandbox's clock: from `real` on, it runs `scale` times as fast as the machine's.
/// Stored in the database under these field names.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct ClockRate {
    /// Machine time at which the rate begins.
    pub(super) real: Timestamp,
    /// Sandbox time at which the rate begins.
    pub(super) here: Timestamp,
    /// Sandbox seconds per real second. 0 stops the clock.
    pub(super) scale: f64,
    /// Total of all moves by hand.
    #[serde(default)]
    pub(super) moved: SignedDuration,
}

impl ClockRate {
    /// Returns the sandbox time at a machine time.
    pub(super) fn at(&self, real: Timestamp) -> Timestamp {
        let elapsed = real.duration_since(self.real).max(SignedDuration::ZERO);
        plus(self.here, stretch(elapsed, self.scale))
    }
}

/// Checks that a scale is within the limits.
pub(super) fn check(scale: f64) -> Result<f64, ClockError> {
    if (0.0..=MAX_SCALE).contains(&scale) { Ok(scale) } else { Err(ClockError::Scale) }
}

fn stretch(elapsed: SignedDuration, scale: f64) -> SignedDuration {
    if scale == 1.0 {
        elapsed
    } else {
        // Exact to the nanosecond for a hundred days. Later differences do not matter.
        SignedDuration::try_from_secs_f64(elapsed.as_secs_f64() * scale).unwrap_or(SignedDuration::MAX)
    }
}
