//! Records of a response, with their content keys and possible days.

use vitalwire::range::{DateRange, NotFoundRecord};
use vitalwire::table::Table;
use vitalwire::value::Date;

use super::SyncState;
use super::compare::KnownRecord;
use super::digester::Digester;
use super::rows::{Record, RecordColumns, RecordKey, StatedDay};
use crate::day_set::{DaySet, day_number};
use crate::generated::RecordKind;
use crate::mistakes::{Mistake, is_planted};

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
    /// Sleeps of the copy that the statistics still list, but that the service has no record of. They are not removed.
    pub(crate) not_found: Vec<KnownRecord<RecordKey>>,
    /// Days, requested for the first time, that list other ids that are not found.
    pub(crate) unconfirmed: DaySet,
}

impl Response {
    /// Returns the number of items and values that are left out.
    pub(crate) fn all_left_out(&self) -> u64 {
        self.left_out + self.left_out_values + self.not_found.len() as u64
    }
}

impl<K> KnownRecord<K> {
    /// Returns the day of the record. `None` if it is not known by which of several days the service selects the record.
    pub(crate) fn day(&self) -> Option<i32> {
        (self.first_day == self.last_day).then_some(self.first_day)
    }
}

impl SyncState {
    /// Reads the records of a response. For sleeps, `listed_days` has the first day that lists the sleep of each row.
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
        Response {
            days,
            records,
            rows,
            left_out: keyless.len() as u64,
            left_out_values: 0,
            not_found: Vec::new(),
            unconfirmed: DaySet::new(),
        }
    }

    /// Adds listed sleeps that the service did not find to a response, if the copy has them. Of older days, the state has only digests, so
    /// such a response counts as incomplete. Any other id may be that of a sleep that the service has not stored yet, so its days are
    /// requested once more.
    pub(crate) fn add_not_found(&self, response: &mut Response, listed: &[NotFoundRecord], digester: &Digester) {
        for NotFoundRecord { id, days } in listed {
            if let Some(record) = self.records.iter().find(|record| record.key.is_id(id)) {
                response.not_found.push(record.clone());
                continue;
            }
            let digest = digester.id(&RecordKey::Id(id.clone()));
            let mut folded = days.iter().filter_map(|day| self.folded_ids.get(&day_number(*day)));
            if folded.any(|ids| ids.contains(&digest)) {
                response.left_out += 1;
                continue;
            }
            let on_days = |day: &&Date| response.days.first() <= **day && **day <= response.days.last();
            for day in days.iter().filter(on_days).filter(|day| !self.requested.contains(**day)) {
                response.unconfirmed.insert(DateRange::from((*day, *day)));
            }
        }
    }

    /// Excludes the day columns by which the service does not select the records of a list. A column is excluded if its day is outside of
    /// the requested days.
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
        // The service has returned the record, so it selects the record by one of the requested days.
        bounds.map(|(first, last)| (first.max(window.0), last.min(window.1))).reduce(|all, one| (all.0.min(one.0), all.1.max(one.1)))
    }
}

/// Returns whether the service returns records of the kind as a list, and it is not documented by which time it selects them.
pub(super) fn is_list(kind: RecordKind) -> bool {
    kind.filter_column().is_none()
}
