//! Episodes in the life of a person: illnesses, trips, changes of the device, and gaps in the data.
//!
//! An episode is drawn for a block of days, so that any day can be computed without its history.

use jiff::civil::Date;

use super::effects::Effect;
use super::population::GAP_LENGTHS;
use super::profile::Profile;
use crate::values::calendar;
use crate::values::rng::Rng;

/// Days of a block with at most one illness.
const ILLNESS_BLOCK: i64 = 60;
/// Days of a block with at most one trip.
const TRIP_BLOCK: i64 = 90;
/// Days of a block with one change of the device.
const DEVICE_BLOCK: i64 = 180;

/// A trip to another time zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Trip {
    /// Day number of the flight out, which begins at home.
    pub(crate) out: i64,
    /// Day number of the flight back, which begins abroad.
    pub(crate) back: i64,
    /// Hours that the clock abroad is ahead of the one at home. Negative to the west.
    pub(crate) hours: i64,
}

impl Trip {
    /// Returns the hours of time difference that the body has not adjusted to on the morning of a day. It adjusts one hour a day.
    pub(crate) fn jet_lag(self, day: i64) -> i64 {
        let since = if day > self.back { day - self.back } else { day - self.out };
        if since > 0 { (self.hours.abs() + 1 - since).max(0) } else { 0 }
    }
}

impl Profile {
    /// Returns the size of an effect. `None` if the sandbox has no such effect.
    pub(crate) fn size(&self, effect: Effect) -> Option<f64> {
        self.population.effects.size(effect)
    }

    /// Whether the person is ill.
    pub(crate) fn is_ill(&self, day: i64) -> bool {
        if self.size(Effect::Illness).is_none() {
            return false;
        }
        let mut rng = Rng::new(self.key, day.div_euclid(ILLNESS_BLOCK), "illness");
        let (happens, first, length) = (rng.chance(0.7), rng.between(0, 53), rng.between(3, 6));
        happens && (first..first + length).contains(&day.rem_euclid(ILLNESS_BLOCK))
    }

    /// Returns the trip of the block around a day.
    pub(crate) fn trip(&self, day: i64) -> Option<Trip> {
        let hours = self.size(Effect::Travel)? as i64;
        let block = day.div_euclid(TRIP_BLOCK);
        let mut rng = Rng::new(self.key, block, "trip");
        rng.chance(0.6).then(|| {
            let out = block * TRIP_BLOCK + rng.between(1, 68);
            let hours = if rng.chance(0.5) { hours } else { -hours };
            // All effects of the trip end before the next block.
            Trip { out, back: out + rng.between(5, 12), hours }
        })
    }

    /// Whether the person wears the second of their two devices, which they change once in every block.
    pub(crate) fn has_second_device(&self, day: i64) -> bool {
        if self.size(Effect::DeviceChange).is_none() {
            return false;
        }
        let block = day.div_euclid(DEVICE_BLOCK);
        let change = Rng::new(self.key, block, "device").between(20, 160);
        (block + i64::from(day.rem_euclid(DEVICE_BLOCK) >= change)).rem_euclid(2) == 1
    }

    /// Returns what illness and the device add to all heart rates of a day, in bpm. `None` without such effects.
    pub(crate) fn heart_deviation(&self, day: i64) -> Option<f64> {
        let illness = self.size(Effect::Illness).filter(|_| self.is_ill(day));
        let device = self.size(Effect::DeviceChange).filter(|_| self.has_second_device(day));
        illness.into_iter().chain(device).reduce(|one, other| one + other)
    }

    /// Whether the watch counts too many steps on a day.
    pub(crate) fn has_outlier(&self, day: i64) -> bool {
        self.size(Effect::Outliers).is_some_and(|share| Rng::new(self.key, day, "outlier").chance(share))
    }

    /// Whether no device delivered data of a day, nor of the night before.
    pub(crate) fn is_missing(&self, date: Date) -> bool {
        let (start, day) = (self.population.gap_start, calendar::day_number(date));
        let is_gap = start > 0.0
            && (0..).zip(GAP_LENGTHS).any(|(passed, _)| {
                let mut rng = Rng::new(self.key, day - passed, "gap");
                let (begins, length) = (rng.chance(start), rng.unit());
                begins && GAP_LENGTHS.get(passed as usize).is_some_and(|longer| length < *longer)
            });
        date < self.first_day || is_gap
    }

    /// Whether no device was worn in the night that ended on a day.
    pub(crate) fn is_night_missing(&self, date: Date) -> bool {
        let missing = self.population.missing;
        self.is_missing(date) || (missing > 0.0 && Rng::new(self.key, calendar::day_number(date), "night gap").chance(missing / 2.0))
    }
}

#[cfg(test)]
mod tests;
