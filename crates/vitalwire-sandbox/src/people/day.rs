//! Values of a whole day.

use jiff::civil::Date;
use uuid::Uuid;

use super::bucket::Bucket;
use super::device::DeviceKind;
use super::hours;
use super::manual_entries::{self, Nap};
use super::night::Night;
use super::profile::Profile;
use super::records::RecordSources;
use super::source::{SLEEP, Source, View};
use super::stat::Stat;
use super::values::{Num, Values};
use crate::values::calendar;
use crate::values::rng::Rng;

/// Values of a local hour in a view.
pub(crate) struct HourBucket {
    /// Start in seconds since 1970.
    pub(crate) start: i64,
    pub(crate) end: i64,
    pub(crate) bucket: Bucket,
}

impl HourBucket {
    /// Returns the values of the requested statistics that this hour has.
    pub(crate) fn values(&self, stats: &[Stat]) -> Values {
        collect_values(stats, |stat| self.bucket.value(stat))
    }

    /// Returns the ids of the records behind these values.
    pub(crate) fn records(&self, person: &Profile, view: &View, date: Date, values: &Values) -> Vec<Uuid> {
        RecordSources { person, view, date, sources: self.bucket.sources, night: None, nap: false }.record_ids(values.stats())
    }
}

fn collect_values(stats: &[Stat], value: impl Fn(Stat) -> Option<Num>) -> Values {
    Values(stats.iter().filter_map(|stat| Some((*stat, value(*stat)?))).collect())
}

/// Returns the hours of a local day that have ended at `now` (seconds since 1970).
pub(crate) fn hours(person: &Profile, view: &View, date: Date, now: i64) -> Vec<HourBucket> {
    if person.is_missing(date) {
        return Vec::new();
    }
    let ride = view.entries.and_then(|_| manual_entries::ride(person, date));
    let ended = hours::hours(person, date).into_iter().filter(|hour| hour.end() <= now);
    ended.map(|hour| HourBucket { start: hour.start, end: hour.end(), bucket: Bucket::new(person, &hour, view, ride) }).collect()
}

/// A day in a view, up to the present.
pub(crate) struct Day<'a> {
    person: &'a Profile,
    view: &'a View,
    date: Date,
    bucket: Bucket,
    /// Night that ended on this day. `None` until it has ended.
    night: Option<Night>,
    nap: Option<Nap>,
}

impl<'a> Day<'a> {
    /// Creates a day from the hours and nights that have ended at `now` (seconds since 1970).
    pub(crate) fn new(person: &'a Profile, view: &'a View, date: Date, now: i64) -> Self {
        let mut bucket = Bucket::default();
        for hour in hours(person, view, date, now) {
            bucket.merge(&hour.bucket);
        }
        let recorded = |source: &'a Source| Some((source, Night::recorded(person, date, source.part(person))?));
        let mut nights = view.by_precedence(&SLEEP).filter_map(|(_, source)| recorded(source));
        let night = nights.find(|(source, night)| night.end <= now && source.covers(night.start, night.end)).map(|(_, night)| night);
        let is_visible = |nap: &Nap| nap.end <= now && view.entries.is_some_and(|source| source.covers(nap.start, nap.end));
        let nap = view.entries.and_then(|_| manual_entries::nap(person, date)).filter(is_visible);
        Self { person, view, date, bucket, night, nap }
    }

    /// Returns the values of the requested statistics that this day has.
    pub(crate) fn values(&self, stats: &[Stat]) -> Values {
        collect_values(stats, |stat| self.value(stat))
    }

    /// Returns the ids of the records behind these values.
    pub(crate) fn records(&self, values: &Values) -> Vec<Uuid> {
        let record_sources = RecordSources {
            person: self.person,
            view: self.view,
            date: self.date,
            sources: self.bucket.sources,
            night: self.night.as_ref().map(|night| night.part),
            nap: self.nap.is_some(),
        };
        record_sources.record_ids(values.stats())
    }

    /// Whether a watch was worn, which is needed for the stress score.
    fn has_watch_data(&self) -> bool {
        let mut sources = self.view.sources.iter().enumerate();
        sources.any(|(at, source)| source.kind == DeviceKind::Watch && self.bucket.sources.heart >> at & 1 == 1)
    }

    fn value(&self, stat: Stat) -> Option<Num> {
        let night = self.night.as_ref();
        Some(match stat {
            Stat::RecoveryScore => {
                let score = night?.score() + (58 - self.bucket.resting?) * 2;
                Num::Int(score.clamp(20, 99))
            }
            Stat::Asleep => {
                let (night, nap) = (night.map(Night::time_asleep), self.nap.map(|nap| nap.end - nap.start));
                Num::Int(night.into_iter().chain(nap).reduce(|night, nap| night + nap)? * 1_000)
            }
            Stat::SleepScore => Num::Int(night?.score()),
            Stat::StressScore if self.has_watch_data() => {
                Num::Int(Rng::new(self.person.key, calendar::day_number(self.date), "stress").between(12, 78))
            }
            other => return self.bucket.value(other),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::stat::ALL;
    use super::*;

    #[test]
    fn every_statistic_has_data() {
        let person = Profile::plain(5, "person-1");
        let view = View::all(person.integrations.iter().map(|integration| Source::new(integration.slug)).collect());
        let day = Day::new(&person, &view, jiff::civil::date(2025, 11, 20), i64::MAX);
        let with_values: Vec<Stat> = day.values(ALL).stats().collect();
        assert_eq!(with_values, ALL);
    }
}
