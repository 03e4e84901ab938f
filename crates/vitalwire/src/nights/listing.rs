//! Sleep records of each day, as listed by daily statistics.

use std::collections::{BTreeMap, HashMap};
use std::ops::RangeInclusive;

use crate::client::{Response, SkippedItems};
use crate::error::Error;
use crate::models::DailyStatistics;
use crate::range::{DateRange, PartPlan, RangeBounds};
use crate::value::{Date, Id};

/// Number of days in one statistics call. A year takes five calls: few enough that the first night comes soon, and a failed call loses only
/// a quarter of the year. The interface states no limit.
pub(super) const DAYS_AT_ONCE: u32 = 90;

/// Returns the statistics calls to make, as first and last day, so that they cover the days of `todo`.
///
/// A sleep that several consecutive days share belongs to the first of them. The day before each missing day is therefore requested too;
/// otherwise a resumed run would return a sleep again that an earlier run has read.
pub(super) fn statistics_ranges(todo: &[(u32, u32)], count: u32) -> impl Iterator<Item = RangeInclusive<u32>> + Send + 'static {
    let todo = todo.to_vec();
    (0..count)
        .step_by(DAYS_AT_ONCE as usize)
        .map(move |first| first..=(first + DAYS_AT_ONCE).min(count) - 1)
        .filter(move |days| todo.iter().any(|(first, last)| first.saturating_sub(1) <= *days.end() && days.start() <= last))
}

/// A record id and the days that list it.
pub(super) struct ListedRecord {
    pub(super) id: Id,
    pub(super) days: Vec<Date>,
}

/// State of a day before its sleeps are read.
pub(super) enum Day {
    /// The records to read, and the number of duplicates: ids that this day or an earlier one had already listed.
    Listed(Vec<ListedRecord>, usize),
    /// Statistics failed for this day, and for the later days given here.
    Failed(Vec<u32>, Error),
}

/// The records that statistics listed.
#[derive(Default)]
pub(super) struct Listing {
    /// Records by day, in the order of the response.
    records: BTreeMap<u32, Vec<(Id, Option<Date>)>>,
    /// Days of failed statistics calls.
    failed_calls: Vec<(RangeInclusive<u32>, Error)>,
    /// Days whose statistics list no records although they must.
    failed_days: Vec<(u32, Error)>,
    /// Items of the statistics that could not be decoded. They may have listed sleeps.
    pub(super) skipped: SkippedItems,
}

impl Listing {
    /// Adds the response for these days. A bucket without a date counts to the first day; one with a date out of range counts to the
    /// nearest day.
    pub(super) fn add(&mut self, plan: &PartPlan, requested: &RangeInclusive<u32>, response: &Response<DailyStatistics>) {
        response.metadata().skipped().into_iter().for_each(|items| self.skipped.extend(items));
        for (at, bucket) in response.statistics.iter().enumerate() {
            let first = plan.part(0).and_then(RangeBounds::dates).map(DateRange::first);
            let day = first.zip(bucket.date).map(|(first, date)| u32::try_from(first.days_until(date)).unwrap_or_default());
            let day = day.unwrap_or_default().clamp(*requested.start(), *requested.end());
            let has_sleep = bucket.values.as_ref().and_then(|values| values.sleep_duration_total()).is_some_and(|duration| duration > 0.0);
            if has_sleep && bucket.record_ids.is_absent() {
                let place = format!("statistics[{at}].record_ids");
                self.failed_days.push((day, Error::decode(response.metadata(), place, "expected the requested record ids")));
            }
            self.records.entry(day).or_default().extend(bucket.record_ids.iter().map(|id| (id.clone(), bucket.date)));
        }
    }

    /// Records that the statistics of these days failed.
    pub(super) fn fail(&mut self, requested: RangeInclusive<u32>, error: Error) {
        self.failed_calls.push((requested, error));
    }

    /// Returns the days to read, in order. A record that several days list is kept at the first.
    pub(super) fn days(self, todo: impl Iterator<Item = u32>) -> Vec<(u32, Day)> {
        let mut days: BTreeMap<u32, Day> = todo.map(|day| (day, Day::Listed(Vec::new(), 0))).collect();
        // The first day of each record, and its position in the list of that day. That day may be absent from `todo`.
        let mut known: HashMap<Id, (u32, usize)> = HashMap::new();
        for (day, records) in self.records {
            for (id, date) in records {
                if let Some((owner, at)) = known.get(&id) {
                    if let Some(Day::Listed(listed, _)) = days.get_mut(owner)
                        && let Some(record) = listed.get_mut(*at)
                    {
                        record.days.extend(date.filter(|date| !record.days.contains(date)));
                    }
                    if let Some(Day::Listed(_, duplicates)) = days.get_mut(&day) {
                        *duplicates += 1;
                    }
                    continue;
                }
                let at = match days.get_mut(&day) {
                    Some(Day::Listed(listed, _)) => {
                        listed.push(ListedRecord { id: id.clone(), days: date.into_iter().collect() });
                        listed.len() - 1
                    }
                    _ => 0,
                };
                known.insert(id, (day, at));
            }
        }
        let failed_days = self.failed_days.into_iter().map(|(day, error)| (vec![day], error));
        let failed_calls = self.failed_calls.into_iter().map(|(requested, error)| {
            let last = *requested.end();
            // A failed call for the day before a missing day also fails the missing day, because both days may share a sleep.
            let next = (!days.contains_key(&last)).then_some(last + 1);
            (requested.chain(next).collect(), error)
        });
        for (mut failed, error) in failed_days.chain(failed_calls).collect::<Vec<_>>() {
            failed.retain(|day| days.remove(day).is_some());
            if let Some(first) = failed.first() {
                days.insert(*first, Day::Failed(failed, error));
            }
        }
        days.into_iter().collect()
    }
}
