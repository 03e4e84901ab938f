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
mod tests;
