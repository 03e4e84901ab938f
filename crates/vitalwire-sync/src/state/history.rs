//! Comparison of a response with all that the state knows of its days: recent records one by one, older ones by day.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use vitalwire::range::DateRange;
use vitalwire::table::Table;
use vitalwire::value::{Date, Timestamp};

use super::SyncState;
use super::compare::KnownRecord;
use super::rows::{Record, RecordColumns, RecordKey, StatedDay};
use crate::day_set::{DaySet, day_number};
use crate::generated::RecordKind;
use crate::key::Digester;
use crate::mistakes::{Mistake, is_planted};

const SECONDS_OF_A_DAY: i64 = 86_400;

/// Content key of a record whose content in the copy is not known, and digest of such a day.
const UNKNOWN_CONTENT: u64 = 0;
const UNKNOWN_DAY: u64 = (1 << 40) - 1;

/// Records of a successful response.
pub(crate) struct Response {
    pub(crate) days: DateRange,
    pub(crate) records: Vec<KnownRecord<RecordKey>>,
    /// Rows of each record.
    pub(crate) rows: Vec<Vec<usize>>,
    /// Number of items that are left out.
    pub(crate) left_out: u64,
    /// Number of values that are left out. Records may lack some of their values.
    pub(crate) left_out_values: u64,
}

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

impl<K> KnownRecord<K> {
    /// Returns the day of the record. `None` if it is not known by which of several days the service selects the record.
    pub(crate) fn day(&self) -> Option<i32> {
        (self.first_day == self.last_day).then_some(self.first_day)
    }
}

impl SyncState {
    /// Reads the records of a response. `listed_days` are the days that list the sleep of each row, for sleeps.
    pub(crate) fn read_response(
        &mut self,
        kind: RecordKind,
        days: DateRange,
        rows: &Table,
        listed_days: Option<&[i32]>,
        digester: &Digester,
    ) -> Response {
        let columns = RecordColumns::new(kind, rows);
        let window = (day_number(days.first()), day_number(days.last()));
        let all = columns.records(0..rows.len());
        let (found, keyless): (Vec<Record>, Vec<Record>) = all.into_iter().partition(|record| !matches!(record.key, RecordKey::Content(_)));
        let first_row = |record: &Record| record.rows.first().copied().unwrap_or_default();
        if is_list(kind) {
            for record in &found {
                self.refute_columns(&columns, kind, first_row(record), window);
            }
        }
        let bounds = |record: &Record| match listed_days {
            Some(listed) => listed.get(first_row(record)).map(|day| (*day, *day)),
            None if is_list(kind) => self.list_bounds(&columns, kind, first_row(record), window),
            None => columns.day(first_row(record)).map(|day| (day, day)),
        };
        let known = |record: &Record| {
            // A record without a day can be returned for any of the requested days.
            let (first_day, last_day) = bounds(record).filter(|(first, last)| window.0 <= *first && *last <= window.1).unwrap_or(window);
            KnownRecord { key: record.key.clone(), content: digester.content(&columns, record), first_day, last_day, rows: 1 }
        };
        let records = found.iter().map(known).collect();
        let rows = found.into_iter().map(|record| record.rows).collect();
        Response { days, records, rows, left_out: keyless.len() as u64, left_out_values: 0 }
    }

    /// Notes by which day columns the service does not select the records of a list: those with a day outside of the requested ones.
    fn refute_columns(&mut self, columns: &RecordColumns<'_>, kind: RecordKind, row: usize, window: (i32, i32)) {
        for (at, stated) in columns.stated_days(kind, row).into_iter().enumerate() {
            let is_outside = |stated: StatedDay| stated.last() < window.0 || window.1 < stated.first();
            if stated.is_some_and(is_outside) {
                self.refuted |= 1 << at;
            }
        }
    }

    /// Returns the first and the last day by which the service may select a record of a list.
    fn list_bounds(&self, columns: &RecordColumns<'_>, kind: RecordKind, row: usize, window: (i32, i32)) -> Option<(i32, i32)> {
        let stated = columns.stated_days(kind, row);
        if is_planted(Mistake::GuessesColumn) {
            return stated.into_iter().flatten().next().map(|stated| (stated.day, stated.day));
        }
        let is_possible = |at: &usize| self.refuted & (1 << at) == 0;
        let possible = stated.into_iter().enumerate().filter(|(at, _)| is_possible(at)).filter_map(|(_, stated)| stated);
        let bounds = possible.map(|stated| (stated.first(), stated.last()));
        let bounds = bounds.filter(|(first, last)| *first <= window.1 && window.0 <= *last);
        // The record was returned, so the service selects it by one of the requested days.
        bounds.map(|(first, last)| (first.max(window.0), last.min(window.1))).reduce(|all, one| (all.0.min(one.0), all.1.max(one.1)))
    }

    /// Updates the state with a response, and returns what has changed. If items or values of the response are left out, its days stay due,
    /// and nothing counts as removed.
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
        let mut known: HashMap<RecordKey, KnownRecord<RecordKey>> =
            std::mem::take(&mut self.records).into_iter().map(|record| (record.key.clone(), record)).collect();
        let mut differences = Vec::new();
        let mut kept = Vec::new();
        for (index, record) in response.records.iter().enumerate() {
            let was_undated = self.undated.contains(&record.key);
            let is_on = |days: &BTreeSet<i32>| !was_undated && record.day().is_some_and(|day| days.contains(&day));
            let mut record = record.clone();
            let reported = differences.len();
            match known.remove(&record.key) {
                Some(before) if is_lossy => {
                    kept.push(before);
                    continue;
                }
                Some(before) => {
                    // Other content can have other days.
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
                None if is_on(&unchanged) => {}
                None if is_on(&changed) && is_lossy => {}
                None if is_on(&changed) && is_complete && has_one_record_a_day(kind) => {
                    differences.push(Difference::Changed { index, day: record.day(), before: None });
                }
                None => differences.push(Difference::Added { index, day: record.day() }),
            }
            if reported < differences.len() {
                match record.day() {
                    Some(_) => self.undated.remove(&record.key),
                    None => self.undated.insert(record.key.clone()),
                };
            }
            // The digest of an older day stays until the day is read completely.
            if is_complete || !(is_on(&unchanged) || is_on(&changed)) {
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
        }
        let mut gone: Vec<_> = known.into_values().collect();
        gone.sort_unstable_by(|one, other| one.key.cmp(&other.key));
        for record in gone {
            if is_complete && first <= record.first_day && record.last_day <= last && !is_planted(Mistake::KeepsRemoved) {
                let day = record.day().filter(|_| !self.undated.remove(&record.key));
                let before = known_content(&record);
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
        } else {
            self.record_failure(response.days);
        }
        self.fold(digester, look_back_of(kind, run.look_back));
        removed
    }

    /// Marks the records of differences as uncertain: a copy may or may not have them. The next response reports them again, whatever it
    /// contains. The days of the differences are pending, because the run has planned them.
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
                    records.insert(record.key.clone(), KnownRecord { content: UNKNOWN_CONTENT, ..record.clone() });
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
    fn fold(&mut self, digester: &Digester, look_back: u32) {
        let Some(last) = self.requested.last().map(day_number) else { return };
        let horizon = last.saturating_sub(i32::try_from(look_back).unwrap_or(i32::MAX));
        let (pending, failed) = (&self.pending, &self.failed);
        let is_old = |day: &i32| *day <= horizon && !pending.contains_number(*day) && !failed.contains_number(*day);
        let (folded, undated) = (&mut self.folded, &self.undated);
        self.records.retain(|record| {
            let Some(day) = record.day().filter(|day| is_old(day) && !undated.contains(&record.key)) else { return true };
            let digest = folded.entry(day).or_default();
            *digest = digester.add_to_day(*digest, &record.key, folded_content(record));
            false
        });
        self.sort_records();
    }

    /// Plans a run: stores the days that are due as pending, and returns them. An interrupted run therefore forgets none of them, in
    /// whatever order it reads them.
    pub(crate) fn plan(&mut self, kind: RecordKind, span: DateRange, look_back: u32) -> DaySet {
        let look_back = look_back_of(kind, look_back);
        let look_back = if is_planted(Mistake::ShortLookBack) { look_back.saturating_sub(3) } else { look_back };
        let mut due = self.due(span, look_back);
        // Only a response for all days by which the service may select a record shows that the record is removed. A list is one request,
        // however many days it has.
        for record in self.records.iter().filter(|record| record.day().is_none()) {
            let is_due =
                due.ranges().any(|days| day_number(days.first()) <= record.last_day && record.first_day <= day_number(days.last()));
            if is_due {
                due.insert_numbers(record.first_day, record.last_day);
            }
        }
        // Pending days outside of the span wait for a run with a longer one.
        due = due.within(span);
        if !is_planted(Mistake::ForgetsPlan) {
            self.pending.insert_all(&due);
        }
        due
    }

    /// Marks days as due that have been requested before.
    pub(crate) fn request_again(&mut self, days: DateRange) {
        self.pending.insert_all(&self.requested.within(days));
    }

    /// Requests all days again if the clock of an earlier sync was ahead by more than a day: days may have been taken to be over before they
    /// had begun. `last_complete` is the last day that is over now.
    pub(crate) fn correct_clock(&mut self, now: Timestamp, last_complete: Date) {
        let was_ahead = self.as_of.is_some_and(|time| time - SECONDS_OF_A_DAY > now.unix_seconds());
        if !was_ahead || is_planted(Mistake::TrustsFuture) {
            return;
        }
        self.pending.insert_all(&self.requested);
        if let Some((next, last)) = last_complete.plus_days(1).zip(self.requested.last()).filter(|(next, last)| next <= last) {
            self.requested.remove(DateRange::from((next, last)));
        }
        self.as_of = Some(now.unix_seconds());
        self.providers_as_of = self.providers_as_of.map(|time| time.min(now.unix_seconds()));
    }

    /// Sets the time of the last check for newly connected providers. All days to which earlier ones may have added data are pending.
    pub(crate) fn set_providers_as_of(&mut self, time: Timestamp) {
        self.providers_as_of = Some(time.unix_seconds());
    }
}

/// Returns the look-back of a kind. Lists can state dates whose time zone is unknown, so one more day is needed to find removed records.
fn look_back_of(kind: RecordKind, look_back: u32) -> u32 {
    look_back.saturating_add(is_list(kind).into())
}

/// Whether the service returns a list of records, of which it is not known by which of their times it selects them.
fn is_list(kind: RecordKind) -> bool {
    kind.filter_column().is_none()
}

/// Whether the day is the key of a record, so that a day has at most one.
fn has_one_record_a_day(kind: RecordKind) -> bool {
    kind.has_local_days() && !kind.has_movable_records()
}

fn known_content(record: &KnownRecord<RecordKey>) -> Option<u64> {
    Some(record.content).filter(|content| *content != UNKNOWN_CONTENT)
}

fn folded_content(record: &KnownRecord<RecordKey>) -> u64 {
    if is_planted(Mistake::FoldsIdsOnly) { 0 } else { record.content }
}

/// Limits the days of a record to those that an earlier response allows, too.
fn narrow(record: &mut KnownRecord<RecordKey>, before: &KnownRecord<RecordKey>) {
    let (first, last) = (record.first_day.max(before.first_day), record.last_day.min(before.last_day));
    if first <= last {
        (record.first_day, record.last_day) = (first, last);
    }
}
