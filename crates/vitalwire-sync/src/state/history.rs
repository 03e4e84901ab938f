//! Comparison of a response with the state: recent records one by one, older records by day.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use vitalwire::range::DateRange;
use vitalwire::value::{Date, Timestamp};

use super::SyncState;
use super::compare::KnownRecord;
use super::digester::{DAY_MASK, Digester};
use super::due::look_back_of;
use super::response::{Response, is_list};
use super::rows::RecordKey;
use crate::day_set::{DaySet, date_of, day_number};
use crate::generated::RecordKind;
use crate::mistakes::{Mistake, is_planted};

/// Content key of a record whose content in the copy is uncertain, and digest of a day with such records.
const UNKNOWN_CONTENT: u64 = 0;
const UNKNOWN_DAY: u64 = DAY_MASK;

/// A difference between a response and the state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Difference {
    /// An older day has changed. All of its records that still exist follow as added or changed.
    DayRemoved(i32),
    /// The service no longer returns a record.
    Removed { key: RecordKey, day: Option<i32>, before: Option<u64> },
    /// The record at this index of the response is new.
    Added { index: usize, day: Option<i32> },
    /// The record at this index of the response has changed.
    Changed { index: usize, day: Option<i32>, before: Option<u64> },
}

/// Time and look-back of a run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RunTime {
    pub(crate) look_back: u32,
    pub(crate) service_time: Timestamp,
}

impl SyncState {
    /// Updates the state with a response, and returns the differences. If items or values of the response are left out, its days stay due,
    /// and nothing counts as removed. A listed sleep that is not found stays, and its days stay due. If another listed id is not found, its
    /// days stay due if they were not requested before.
    pub(crate) fn update_history(&mut self, kind: RecordKind, response: &Response, digester: &Digester, run: RunTime) -> Vec<Difference> {
        let (first, last) = (day_number(response.days.first()), day_number(response.days.last()));
        let is_complete = response.left_out + response.left_out_values == 0 || is_planted(Mistake::TrustsIncomplete);
        let is_lossy = response.left_out_values > 0;
        let mut digests: BTreeMap<i32, u64> = BTreeMap::new();
        for record in &response.records {
            if let Some(day) = record.day().filter(|_| !self.undated.contains(&record.key)) {
                let digest = digests.entry(day).or_default();
                *digest = digester.add_to_day(*digest, &record.key, folded_content(record));
            }
        }
        let (unchanged, changed): (BTreeSet<i32>, BTreeSet<i32>) =
            self.folded.range(first..=last).map(|(day, _)| *day).partition(|day| self.folded.get(day) == digests.get(day));
        // Ids of records that are no longer on their older day.
        let mut removed_ids: BTreeSet<u16> = BTreeSet::new();
        for (day, ids) in changed.iter().filter_map(|day| Some((*day, self.folded_ids.get(day)?))).filter(|_| is_complete) {
            let on_day = response.records.iter().filter(|record| record.day() == Some(day));
            let returned: BTreeSet<u16> = on_day.map(|record| digester.id(&record.key)).collect();
            removed_ids.extend(ids.iter().filter(|id| !returned.contains(id)));
        }
        let mut known: HashMap<RecordKey, KnownRecord<RecordKey>> =
            std::mem::take(&mut self.records).into_iter().map(|record| (record.key.clone(), record)).collect();
        let mut differences = Vec::new();
        let mut kept = Vec::new();
        for (index, record) in response.records.iter().enumerate() {
            let was_undated = self.undated.contains(&record.key);
            let is_on = |days: &BTreeSet<i32>| !was_undated && record.day().is_some_and(|day| days.contains(&day));
            let mut record = record.clone();
            if !is_complete && kind.requests_sleeps() {
                // An item that is left out may list the sleep on the day before.
                match known.get(&record.key) {
                    Some(before) => (record.first_day, record.last_day) = (before.first_day, before.last_day),
                    None if [record.first_day - 1, record.first_day].iter().any(|day| self.folded.contains_key(day)) => continue,
                    // Sleeps of the day before the requested days are not part of the response.
                    None => record.first_day = (record.first_day - 1).max(first),
                }
            }
            let (reported, is_known) = (differences.len(), known.contains_key(&record.key));
            match known.remove(&record.key) {
                Some(before) if is_lossy => {
                    kept.push(before);
                    continue;
                }
                Some(before) => {
                    // Only for equal content, because changed content can have other days.
                    if is_list(kind) && before.content == record.content {
                        narrow(&mut record, &before);
                    }
                    let is_same =
                        before.content == record.content || (is_planted(Mistake::IgnoresContent) && before.content != UNKNOWN_CONTENT);
                    let has_moved = !was_undated && before.day() != record.day();
                    if !is_same || has_moved || (is_complete && is_on(&changed)) {
                        differences.push(Difference::Changed { index, day: record.day(), before: known_content(&before) });
                    }
                }
                // A copy that removes a changed day also removes a record that has moved back to an unchanged day.
                None if is_on(&unchanged) && (removed_ids.is_empty() || !removed_ids.contains(&digester.id(&record.key))) => {}
                None if is_on(&changed) && is_lossy => {}
                None if is_on(&changed) && is_complete && has_one_record_a_day(kind) => {
                    differences.push(Difference::Changed { index, day: record.day(), before: None });
                }
                None => {
                    // The older day may have a new record. Only a complete response shows all records of the day.
                    if let Some(digest) = record.day().filter(|_| !is_complete).and_then(|day| self.folded.get_mut(&day)) {
                        *digest = UNKNOWN_DAY;
                    }
                    differences.push(Difference::Added { index, day: record.day() });
                }
            }
            if reported < differences.len() {
                match record.day() {
                    Some(_) => self.undated.remove(&record.key),
                    None => self.undated.insert(record.key.clone()),
                };
            }
            // The digest of an older day stays until the day is read completely.
            if is_complete || is_known || !(is_on(&unchanged) || is_on(&changed)) {
                kept.push(record);
            }
        }
        let mut removed = Vec::new();
        if is_complete {
            for day in &changed {
                match has_one_record_a_day(kind) {
                    true if digests.contains_key(day) => {}
                    true => removed.push(Difference::Removed { key: RecordKey::Time((*day).into()), day: Some(*day), before: None }),
                    false => removed.push(Difference::DayRemoved(*day)),
                }
            }
            self.folded.retain(|day, _| !(first..=last).contains(day));
            self.folded_ids.retain(|day, _| !(first..=last).contains(day));
        }
        let mut gone: Vec<_> = known.into_values().collect();
        gone.sort_unstable_by(|one, other| one.key.cmp(&other.key));
        for record in gone {
            let is_listed = response.not_found.iter().any(|listed| listed.key == record.key);
            let is_on_days = first <= record.first_day && record.last_day <= last;
            if is_complete && is_on_days && !is_listed && !is_planted(Mistake::KeepsRemoved) {
                let day = record.day().filter(|_| !self.undated.remove(&record.key));
                let before = known_content(&record);
                removed_ids.insert(digester.id(&record.key));
                removed.push(Difference::Removed { key: record.key, day, before });
            } else {
                kept.push(record);
            }
        }
        removed.append(&mut differences);
        self.records = kept;
        if is_complete {
            let mut requested = DaySet::new();
            requested.insert(response.days);
            let over = kind.last_complete_day(run.service_time).filter(|_| !is_planted(Mistake::EndsDayEarly));
            self.record(&requested, [], over.unwrap_or(response.days.last()), run.service_time);
            for (first, last) in response.not_found.iter().filter_map(|record| date_of(record.first_day).zip(date_of(record.last_day))) {
                self.record_failure(DateRange::from((first, last)));
            }
            response.unconfirmed.ranges().for_each(|days| self.record_failure(days));
        } else {
            self.record_failure(response.days);
        }
        self.suspect(&removed_ids);
        self.fold(kind, digester, look_back_of(kind, run.look_back));
        removed
    }

    /// Returns whether the copy has records of these days.
    pub(crate) fn has_records(&self, days: DateRange) -> bool {
        let (first, last) = (day_number(days.first()), day_number(days.last()));
        let is_possible = |record: &KnownRecord<RecordKey>| record.first_day <= last && first <= record.last_day;
        self.folded.range(first..=last).next().is_some() || self.records.iter().any(is_possible)
    }

    /// Returns these days with the pending days that are consecutive with them.
    pub(crate) fn with_pending(&self, days: DateRange) -> DateRange {
        let pending = self.pending.ranges().filter(|range| range.first() <= days.last() && days.first() <= range.last());
        let widen = |(first, last): (Date, Date), range: DateRange| (first.min(range.first()), last.max(range.last()));
        DateRange::from(pending.fold((days.first(), days.last()), widen))
    }

    /// Makes the older days due that had a record with one of these ids. The record can have moved from such a day and back, so a copy that
    /// removes it loses a record that the day still has.
    fn suspect(&mut self, ids: &BTreeSet<u16>) {
        if ids.is_empty() || is_planted(Mistake::ForgetsMoves) {
            return;
        }
        for (day, _) in self.folded_ids.iter().filter(|(_, known)| known.iter().any(|id| ids.contains(id))) {
            self.folded.insert(*day, UNKNOWN_DAY);
            self.suspects.insert_numbers(*day, *day);
        }
        self.pending.insert_all(&self.suspects);
    }

    /// Returns the older days that became due since the last call.
    pub(crate) fn take_suspects(&mut self) -> DaySet {
        std::mem::replace(&mut self.suspects, DaySet::new())
    }

    /// Marks the records of differences as uncertain: a copy may or may not have them. The next response always reports them again. Their
    /// days are pending, because the run has planned them.
    pub(crate) fn mark_uncertain(&mut self, differences: &[Difference], response: &Response) {
        let mut records: HashMap<RecordKey, KnownRecord<RecordKey>> =
            std::mem::take(&mut self.records).into_iter().map(|record| (record.key.clone(), record)).collect();
        for difference in differences {
            match difference {
                Difference::DayRemoved(day) => drop(self.folded.insert(*day, UNKNOWN_DAY)),
                Difference::Removed { key, day, .. } => match (records.get_mut(key), day) {
                    (Some(record), _) => record.content = UNKNOWN_CONTENT,
                    (None, Some(day)) => drop(self.folded.insert(*day, UNKNOWN_DAY)),
                    (None, None) => {}
                },
                Difference::Added { index, day } | Difference::Changed { index, day, .. } => {
                    let Some(record) = response.records.get(*index) else { continue };
                    match day {
                        Some(_) => self.undated.remove(&record.key),
                        None => self.undated.insert(record.key.clone()),
                    };
                    let (first_day, last_day) = match day {
                        Some(day) => (*day, *day),
                        // A sleep of an incomplete response can belong to the day before.
                        None if record.day().is_some() => (record.first_day - 1, record.last_day),
                        None => (record.first_day, record.last_day),
                    };
                    records.insert(record.key.clone(), KnownRecord { content: UNKNOWN_CONTENT, first_day, last_day, ..record.clone() });
                }
            }
        }
        self.records = records.into_values().collect();
        self.sort_records();
    }

    fn sort_records(&mut self) {
        self.records.sort_unstable_by(|one, other| (one.first_day, &one.key).cmp(&(other.first_day, &other.key)));
    }

    /// Replaces the records of days before the look-back with a digest for each day.
    fn fold(&mut self, kind: RecordKind, digester: &Digester, look_back: u32) {
        let Some(last) = self.requested.last().map(day_number) else { return };
        let horizon = last.saturating_sub(i32::try_from(look_back).unwrap_or(i32::MAX));
        let (pending, failed) = (&self.pending, &self.failed);
        let is_old = |day: &i32| *day <= horizon && !pending.contains_number(*day) && !failed.contains_number(*day);
        let (folded, folded_ids, undated) = (&mut self.folded, &mut self.folded_ids, &self.undated);
        self.records.retain(|record| {
            let Some(day) = record.day().filter(|day| is_old(day) && !undated.contains(&record.key)) else { return true };
            let digest = folded.entry(day).or_default();
            *digest = digester.add_to_day(*digest, &record.key, folded_content(record));
            if kind.has_movable_records() {
                folded_ids.entry(day).or_default().push(digester.id(&record.key));
            }
            false
        });
        self.sort_records();
    }
}

/// Returns whether the day is the key of a record, so that a day has at most one record.
fn has_one_record_a_day(kind: RecordKind) -> bool {
    kind.has_local_days() && !kind.has_movable_records()
}

fn known_content(record: &KnownRecord<RecordKey>) -> Option<u64> {
    Some(record.content).filter(|content| *content != UNKNOWN_CONTENT)
}

fn folded_content(record: &KnownRecord<RecordKey>) -> u64 {
    if is_planted(Mistake::FoldsIdsOnly) { 0 } else { record.content }
}

/// Limits the possible days of a record to the days that were possible after an earlier response.
fn narrow(record: &mut KnownRecord<RecordKey>, before: &KnownRecord<RecordKey>) {
    let (first, last) = (record.first_day.max(before.first_day), record.last_day.min(before.last_day));
    if first <= last {
        (record.first_day, record.last_day) = (first, last);
    }
}
