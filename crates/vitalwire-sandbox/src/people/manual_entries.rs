//! Manual entries of a person: occasional rides that no device recorded, and naps.

use jiff::civil::Date;

use super::profile::Profile;
use crate::values::calendar;
use crate::values::rng::Rng;

/// Part of a sleep id that marks a nap.
pub(crate) const NAP: u8 = 255;

/// A ride within one hour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ride {
    /// Start of its hour in seconds since 1970.
    pub(crate) hour: i64,
    /// Distance in ten-thousandths of a metre.
    pub(crate) distance: i64,
    /// Energy in ten-thousandths of a kilocalorie.
    pub(crate) energy: i64,
}

/// Returns the ride of a day, at noon local time. About one day in eight has one.
pub(crate) fn ride(person: &Profile, date: Date) -> Option<Ride> {
    let mut rng = Rng::new(person.key, calendar::day_number(date), "ride by hand");
    (rng.chance(0.12) && !person.is_missing(date)).then(|| {
        let hour = person.unix_seconds(date.at(12, 0, 0, 0));
        // Entered in steps of 500 metres.
        let distance = rng.between(6, 16) * 500 * 10_000;
        Ride { hour, distance, energy: distance / 40 }
    })
}

/// A nap. Times are seconds since 1970 in whole minutes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Nap {
    pub(crate) date: Date,
    pub(crate) start: i64,
    pub(crate) end: i64,
}

/// Returns the nap of a day, after lunch local time. About one day in ten has one.
pub(crate) fn nap(person: &Profile, date: Date) -> Option<Nap> {
    let mut rng = Rng::new(person.key, calendar::day_number(date), "nap by hand");
    (rng.chance(0.10) && !person.is_missing(date)).then(|| {
        let start = person.unix_seconds(date.at(14, 0, 0, 0)) + rng.below(4) * 900;
        Nap { date, start, end: start + rng.between(4, 16) * 300 }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn manual_entries_are_occasional_and_around_midday() {
        for number in 1..=6 {
            let person = Profile::plain(5, &super::super::profile::seeded_id(number));
            let (mut rides, mut naps) = (0, 0);
            for day in 20_000..20_400 {
                let date = calendar::from_number(day).unwrap();
                let midnight = calendar::midnight(&person.rules, date);
                if let Some(ride) = ride(&person, date) {
                    rides += 1;
                    // On days of a clock change, noon is 11 or 13 hours after midnight.
                    assert!([11, 12, 13].contains(&((ride.hour - midnight) / 3_600)));
                    assert!((3_000..=8_000).contains(&(ride.distance / 10_000)));
                }
                if let Some(nap) = nap(&person, date) {
                    naps += 1;
                    assert!((1_200..=4_800).contains(&(nap.end - nap.start)));
                    assert!(nap.start > midnight + 12 * 3_600 && nap.end < midnight + 18 * 3_600);
                }
            }
            assert!((25..=75).contains(&rides) && (20..=65).contains(&naps), "{rides} {naps}");
        }
    }
}
