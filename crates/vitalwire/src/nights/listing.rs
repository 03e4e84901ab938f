//! Which records are behind the sleep of each day.

use std::collections::{BTreeMap, HashMap};
use std::ops::RangeInclusive;

use crate::client::Response;
use crate::error::Error;
use crate::models::DailyStatistics;
use crate::range::{DateRange, Plan, RangeBounds};
use crate::value::{Date, Id};

/// So many days are asked for in one call of statistics: a year is five calls, few enough to come before the first night, and one that fails
/// costs a quarter of it. The interface states no limit.
pub(super) const DAYS_AT_ONCE: u32 = 90;

/// The statistics to ask for, as first and last day, so that the days of `todo` are in them.
///
/// A sleep counts to its first day, and days that follow one another have it: the day before one that is wanted is asked for too, so that a
/// later run does not take for new what an earlier one has read.
pub(super) fn requested(todo: &[(u32, u32)], count: u32) -> impl Iterator<Item = RangeInclusive<u32>> + Send + 'static {
    let todo = todo.to_vec();
    (0..count)
        .step_by(DAYS_AT_ONCE as usize)
        .map(move |first| first..=(first + DAYS_AT_ONCE).min(count) - 1)
        .filter(move |days| todo.iter().any(|(first, last)| first.saturating_sub(1) <= *days.end() && days.start() <= last))
}

/// A record, and the days that have it.
pub(super) struct ListedRecord {
    pub(super) id: Id,
    pub(super) days: Vec<Date>,
}

/// What is known of a day that is to be read.
pub(super) enum Day {
    /// Its records, and how often it named one that it or an earlier day has.
    Listed(Vec<ListedRecord>, usize),
    /// It failed, with days after it that failed of the same.
    Failed(Vec<u32>, Error),
}

/// What statistics said.
#[derive(Default)]
pub(super) struct Listing {
    /// By day, in the order of the answer.
    records: BTreeMap<u32, Vec<(Id, Option<Date>)>>,
    failed: Vec<(Vec<u32>, Error)>,
}

impl Listing {
    /// Takes in the answer about these days. A bucket without a day counts to the first of them, one of a day beyond them to the nearest.
    pub(super) fn add(&mut self, plan: &Plan, requested: &RangeInclusive<u32>, answer: &Response<DailyStatistics>) {
        for (at, bucket) in answer.statistics.iter().enumerate() {
            let first = plan.part(0).and_then(RangeBounds::dates).map(DateRange::first);
            let day = first.zip(bucket.date).map(|(first, date)| u32::try_from(first.days_until(date)).unwrap_or_default());
            let day = day.unwrap_or_default().clamp(*requested.start(), *requested.end());
            let slept = bucket.values.as_ref().and_then(|values| values.sleep_duration_total()).is_some_and(|slept| slept > 0.0);
            if slept && bucket.record_ids.is_absent() {
                let place = format!("statistics[{at}].record_ids");
                self.failed.push((vec![day], Error::decode(answer.metadata(), place, "expected the requested record ids")));
            }
            self.records.entry(day).or_default().extend(bucket.record_ids.iter().map(|id| (id.clone(), bucket.date)));
        }
    }

    /// There is no answer about these days.
    pub(super) fn fail(&mut self, requested: RangeInclusive<u32>, error: Error) {
        self.failed.push((requested.collect(), error));
    }

    /// The days to read, in order. Of records that several days have, the first keeps them.
    pub(super) fn days(self, todo: impl Iterator<Item = u32>) -> Vec<(u32, Day)> {
        let mut days: BTreeMap<u32, Day> = todo.map(|day| (day, Day::Listed(Vec::new(), 0))).collect();
        // Where a record is listed; `None` on a day that is not read.
        let mut known: HashMap<Id, (u32, usize)> = HashMap::new();
        for (day, records) in self.records {
            for (id, date) in records {
                if let Some((owner, at)) = known.get(&id) {
                    if let Some(Day::Listed(listed, _)) = days.get_mut(owner)
                        && let Some(record) = listed.get_mut(*at)
                    {
                        record.days.extend(date.filter(|date| !record.days.contains(date)));
                    }
                    if let Some(Day::Listed(_, again)) = days.get_mut(&day) {
                        *again += 1;
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
        for (failed, error) in self.failed {
            let failed: Vec<u32> = failed.into_iter().filter(|day| days.remove(day).is_some()).collect();
            if let Some(first) = failed.first() {
                days.insert(*first, Day::Failed(failed, error));
            }
        }
        days.into_iter().collect()
    }
}
