//! [`Population`]: properties that all people of a sandbox share.

use jiff::civil::Date;

use super::delivery::{Deliveries, Delivery};
use super::effects::Effects;

/// Largest share of days without data.
pub(crate) const MAX_MISSING: f64 = 0.9;
/// Probabilities that a gap in the data is longer than 0, 1 and 2 days.
pub(super) const GAP_LENGTHS: [f64; 3] = [1.0, 0.5, 0.2];
/// Number of halvings of an interval, enough for the precision of a float.
const HALVINGS: u32 = 60;

/// Properties that all people share. Defaults to complete data without effects.
#[derive(Clone, Debug, Default)]
pub(crate) struct Population {
    pub(crate) missing: f64,
    pub(crate) effects: Effects,
    /// Probability that a gap begins on a day.
    pub(super) gap_start: f64,
    deliveries: Deliveries,
    /// Date on which the sandbox started.
    started: Date,
}

impl Population {
    /// Creates a population. `missing` is the share of days without data.
    pub(crate) fn new(missing: f64, effects: Effects) -> Self {
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..HALVINGS {
            let middle = f64::midpoint(low, high);
            if missing_share(middle) < missing { low = middle } else { high = middle }
        }
        Self { missing, effects, gap_start: if missing > 0.0 { high } else { 0.0 }, ..Self::default() }
    }

    /// Sets late, absent and new people, in a sandbox that started on a date.
    pub(crate) fn with_deliveries(self, deliveries: Deliveries, started: Date) -> Self {
        Self { deliveries, started, ..self }
    }

    /// Returns the first day with data of a user, and the days until data arrives.
    pub(super) fn delivery(&self, user_id: &str) -> (Date, i64) {
        self.deliveries.of(user_id).map_or((Date::MIN, 0), |delivery| (delivery.first_day(self.started), Delivery::late_days(delivery)))
    }
}

/// Returns the share of days in gaps, if one begins on each day with this probability.
fn missing_share(gap_start: f64) -> f64 {
    1.0 - GAP_LENGTHS.iter().map(|longer| 1.0 - gap_start * longer).product::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_begin_as_often_as_the_share_of_missing_days_needs() {
        assert!(Population::new(0.0, Effects::default()).gap_start.abs() < f64::EPSILON);
        for missing in [0.001, 0.1, 0.5, MAX_MISSING] {
            assert!((missing_share(Population::new(missing, Effects::default()).gap_start) - missing).abs() < 1e-9);
        }
    }
}
