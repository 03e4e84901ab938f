//! Local time of a person, at home and on trips.
//!
//! A trip changes the time zone at [`FLIGHT`] o'clock, so a day of a flight is shorter or longer by the time difference.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::{Offset, TimeZone};

use super::effects::Effect;
use super::profile::Profile;
use crate::values::calendar;

/// Hour of the local clock at which a flight changes the time zone.
const FLIGHT: i8 = 13;

/// Time zones of a local day.
pub(crate) struct DayZones {
    first: TimeZone,
    /// Time zone from an instant on, in seconds since 1970. `None` without trips.
    then: Option<(i64, TimeZone)>,
}

impl DayZones {
    /// Returns the time zone at an instant of the day.
    pub(crate) fn at(&self, seconds: i64) -> &TimeZone {
        self.then.as_ref().filter(|(from, _)| *from <= seconds).map_or(&self.first, |(_, zone)| zone)
    }
}

impl Profile {
    /// Returns the time zone in which a day begins.
    fn zone_on(&self, date: Date) -> TimeZone {
        let day = calendar::day_number(date);
        let Some(trip) = self.trip(day).filter(|trip| trip.out < day && day <= trip.back) else {
            return self.rules.clone();
        };
        // A clock change at home does not affect the zone abroad.
        let departure = calendar::from_number(trip.out as i32).map_or(0, |out| calendar::midnight(&self.rules, out));
        let seconds = self.rules.to_offset(calendar::instant(departure)).seconds() + trip.hours as i32 * 3_600;
        Offset::from_seconds(seconds).map_or_else(|_| self.rules.clone(), TimeZone::fixed)
    }

    /// Returns the start of a local day in seconds since 1970.
    pub(crate) fn midnight(&self, date: Date) -> i64 {
        calendar::midnight(&self.zone_on(date), date)
    }

    /// Converts a local time to seconds since 1970.
    pub(crate) fn unix_seconds(&self, local: DateTime) -> i64 {
        let date = if local.hour() < FLIGHT { local.date() } else { calendar::next_day(local.date()) };
        calendar::unix_seconds(&self.zone_on(date), local)
    }

    /// Returns the time zones of a local day.
    pub(crate) fn zones(&self, date: Date) -> DayZones {
        let first = self.zone_on(date);
        let then = self.size(Effect::Travel).map(|_| {
            let flight = calendar::unix_seconds(&first, date.at(FLIGHT, 0, 0, 0));
            (flight, self.zone_on(calendar::next_day(date)))
        });
        DayZones { first, then }
    }

    /// Returns the UTC offset at an instant, in minutes.
    pub(crate) fn offset_minutes(&self, at: Timestamp) -> i64 {
        calendar::offset_minutes(self.zones(self.date_at(at)).at(at.as_second()), at.as_second())
    }

    /// Returns the local date at an instant.
    pub(crate) fn date_at(&self, at: Timestamp) -> Date {
        let home = self.rules.to_datetime(at).date();
        let near = [Some(home), home.yesterday().ok(), home.tomorrow().ok()];
        let has_begun = |date: Date| self.midnight(date) <= at.as_second();
        near.into_iter().flatten().find(|date| has_begun(*date) && !has_begun(calendar::next_day(*date))).unwrap_or(home)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::effects::Effects;
    use super::super::population::Population;
    use super::super::profile::seeded_id;
    use super::*;

    fn traveller(number: usize) -> Profile {
        let effects = Effects::default().with(Effect::Travel, 5.0).unwrap();
        Profile::new(4, &seeded_id(number), &Arc::new(Population::new(0.0, effects)))
    }

    #[test]
    fn days_follow_each_other_and_only_flights_change_their_length() {
        for number in 1..=6 {
            let person = traveller(number);
            for day in 20_000..20_800 {
                let date = calendar::from_number(day).unwrap();
                let (begin, end) = (person.midnight(date), person.midnight(calendar::next_day(date)));
                let flight = person.trip(i64::from(day)).map_or(0, |trip| {
                    let hours = [(trip.out, -trip.hours), (trip.back, trip.hours)];
                    hours.into_iter().find(|(of, _)| *of == i64::from(day)).map_or(0, |(_, hours)| hours)
                });
                let hours = (end - begin) / 3_600;
                assert!((end - begin) % 3_600 == 0 && (23..=25).contains(&(hours - flight)), "{date}: {hours} hours, flight of {flight}");
                for at in (begin..end).step_by(1_800) {
                    assert_eq!(person.date_at(calendar::instant(at)), date);
                }
            }
        }
    }

    #[test]
    fn local_times_are_those_of_the_place() {
        let person = traveller(1);
        let trip = (20_000..20_800).find_map(|day| person.trip(day)).unwrap();
        let offset = |day: i64, hour: i8| {
            let local = calendar::from_number(day as i32).unwrap().at(hour, 30, 0, 0);
            let at = calendar::instant(person.unix_seconds(local));
            assert_eq!(person.zones(local.date()).at(at.as_second()).to_datetime(at), local);
            person.offset_minutes(at) / 60
        };
        let home = offset(trip.out, 12);
        assert_eq!(offset(trip.out, 20), home + trip.hours);
        assert_eq!(offset(trip.back, 12), home + trip.hours);
        let back = offset(trip.back, 20);
        // A clock change at home may be in between.
        assert!((home - back).abs() <= 1 && back != home + trip.hours);
    }
}
