//! [`ClockRate`]: conversion of the machine's time to the sandbox's time.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use super::ClockError;
use crate::values::calendar::plus;

/// Maximum speed: a year in half a minute.
pub(crate) const MAX_SCALE: f64 = 1e6;

/// Rate of the sandbox's clock: from `machine_time` on, it runs `scale` times as fast as the machine's.
/// Stored in the database as `real`, `here`, `scale` and `moved`.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct ClockRate {
    /// Machine time at which the rate begins.
    #[serde(rename = "real")]
    pub(super) machine_time: Timestamp,
    /// Sandbox time at which the rate begins.
    #[serde(rename = "here")]
    pub(super) sandbox_time: Timestamp,
    /// Sandbox seconds per real second. 0 stops the clock.
    pub(super) scale: f64,
    /// Total of all moves by hand.
    #[serde(default)]
    pub(super) moved: SignedDuration,
}

impl ClockRate {
    /// Returns the sandbox time at a machine time.
    pub(super) fn at(&self, machine_time: Timestamp) -> Timestamp {
        let elapsed = machine_time.duration_since(self.machine_time).max(SignedDuration::ZERO);
        plus(self.sandbox_time, scale_duration(elapsed, self.scale))
    }
}

pub(super) fn check_scale(scale: f64) -> Result<f64, ClockError> {
    if (0.0..=MAX_SCALE).contains(&scale) { Ok(scale) } else { Err(ClockError::Scale) }
}

fn scale_duration(elapsed: SignedDuration, scale: f64) -> SignedDuration {
    if scale == 1.0 {
        elapsed
    } else {
        // Exact to the nanosecond for a hundred days. Later differences do not matter.
        SignedDuration::try_from_secs_f64(elapsed.as_secs_f64() * scale).unwrap_or(SignedDuration::MAX)
    }
}
