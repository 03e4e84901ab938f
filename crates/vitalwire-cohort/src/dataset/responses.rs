//! Responses that are written together, and their comparison with the rows in part files.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

use vitalwire::range::{DateRange, NotFoundRecord};
use vitalwire::table::Table;

use super::parts::text;
use crate::Changes;
use crate::CohortTable;
use crate::DaySet;
use crate::RecordKey;
use crate::USER;
use crate::error::CohortError;
use crate::failure::Failure;
use vitalwire_sync::internal::{KnownRecord, compare};
use vitalwire_sync::internal::{Record, RecordColumns};

/// Rows of a user for a span of days, with the column `user`.
#[derive(Debug)]
pub(super) struct Response {
    pub(super) user: String,
    pub(super) days: DateRange,
    pub(super) rows: Table,
    pub(super) quality: Quality,
    /// Records that the statistics list, but that the service has no sleep for.
    pub(super) not_found: Vec<NotFoundRecord>,
}

/// Effect of a response on the records of its days.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quality {
    /// Has all records. Records are added, changed and removed.
    Complete,
    /// Lacks records. Records are added and changed.
    Incomplete,
    /// Lacks values. Records are added.
    LostValues,
}

/// Responses of a user that are written together.
#[derive(Default)]
pub(super) struct UserUpdate {
    /// Days of complete responses.
    pub(super) days: DaySet,
    /// Rows of responses that lack values.
    pub(super) lossy: Vec<Range<usize>>,
    pub(super) rows: Vec<usize>,
    /// Records that the statistics list, but that the service has no sleep for. They are not removed.
    pub(super) not_found: Vec<NotFoundRecord>,
}

impl UserUpdate {
    /// Returns whether the statistics list a record that the service has no sleep for.
    pub(super) fn lists_without_record(&self, record: &KnownRecord<RecordKey>) -> bool {
        self.not_found.iter().any(|listed| record.key.is_id(&listed.id))
    }

    /// Returns the failure of known sleeps that the statistics still list, but that the service has no record of.
    pub(super) fn not_found_failure(&self, user: &str, table: CohortTable, known: &[KnownRecord<RecordKey>]) -> Option<Failure> {
        let listed = || self.not_found.iter().filter(|listed| known.iter().any(|record| record.key.is_id(&listed.id)));
        let days = || listed().flat_map(|record| record.days.iter().copied());
        // Only together with the day before, a later response shows whether a sleep is gone.
        let first = days().min()?;
        let days = [first.plus_days(-1).unwrap_or(first), days().max()?];
        Some(Failure::not_found(user.to_owned(), table, days, listed().count()))
    }
}

/// Merges responses into one table and the update of each user. If several responses have the same record, the last one counts.
pub(super) fn merge(table: CohortTable, responses: Vec<Response>) -> Result<(Table, BTreeMap<String, UserUpdate>), CohortError> {
    let mut all: Option<Table> = None;
    let mut updates: BTreeMap<String, UserUpdate> = BTreeMap::new();
    // Index of the first row of each response of users with several responses.
    let mut starts: HashMap<String, Vec<usize>> = HashMap::new();
    for response in responses {
        let start = all.as_ref().map_or(0, Table::len);
        let update = updates.entry(response.user.clone()).or_default();
        match response.quality {
            Quality::Complete => update.days.insert(response.days),
            Quality::Incomplete => {}
            Quality::LostValues => update.lossy.push(start..start + response.rows.len()),
        }
        update.rows.extend(start..start + response.rows.len());
        update.not_found.extend(response.not_found);
        starts.entry(response.user).or_default().push(start);
        match &mut all {
            Some(all) => all.append(response.rows)?,
            None => all = Some(response.rows),
        }
    }
    let all = all.map_or_else(|| table.empty(), Ok)?;
    let columns = RecordColumns::new(table, &all);
    for (user, starts) in starts.into_iter().filter(|(_, starts)| starts.len() > 1) {
        let Some(update) = updates.get_mut(&user) else { continue };
        let response_of = |row: usize| starts.partition_point(|start| *start <= row);
        let mut last: HashMap<RecordKey, usize> = HashMap::new();
        for row in &update.rows {
            last.insert(columns.key(*row), response_of(*row));
        }
        update.rows.retain(|row| last.get(&columns.key(*row)) == Some(&response_of(*row)));
    }
    Ok((all, updates))
}

/// Returns the records in part files, of users with an update.
pub(super) fn known_records<'a>(
    table: CohortTable,
    old: &BTreeMap<&str, Table>,
    updates: &'a BTreeMap<String, UserUpdate>,
) -> HashMap<&'a str, Vec<KnownRecord<RecordKey>>> {
    let mut known: HashMap<&str, Vec<KnownRecord<RecordKey>>> = HashMap::new();
    for rows in old.values() {
        let (columns, users) = (RecordColumns::new(table, rows), rows.column(USER));
        let mut rows_of: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        (0..rows.len()).for_each(|row| rows_of.entry(text(users, row)).or_default().push(row));
        for user in updates.keys() {
            let Some(rows) = rows_of.remove(&**user) else { continue };
            let records = columns.records(rows).into_iter().map(|record| known_record(&columns, record));
            known.entry(user).or_default().extend(records);
        }
    }
    known
}

fn known_record(columns: &RecordColumns<'_>, record: Record) -> KnownRecord<RecordKey> {
    // A record without a day is never removed, because no request is known to return it.
    let (first_day, last_day) = record.days.unwrap_or((i32::MIN, i32::MAX));
    KnownRecord { content: columns.file_digest(&record), first_day, last_day, rows: record.rows.len() as u64, key: record.key }
}

/// Compares the records of a response with those in the files. Returns the changes, and the keys of records whose rows differ. `None` if no
/// record is known, so that all differ.
///
/// A known record is removed if the response does not have it and `can_remove` says so.
pub(super) fn difference(
    known: Vec<KnownRecord<RecordKey>>,
    response: &[Record],
    columns: &RecordColumns<'_>,
    lossy: &[Range<usize>],
    can_remove: impl Fn(&KnownRecord<RecordKey>) -> bool,
) -> (Changes, Option<HashSet<RecordKey>>) {
    if known.is_empty() {
        let added = response.iter().map(|record| record.rows.len() as u64).sum();
        return (Changes { added, ..Changes::default() }, None);
    }
    let before: HashMap<RecordKey, u64> = known.iter().map(|record| (record.key.clone(), record.content)).collect();
    let mut keys = HashSet::new();
    let is_lossy = |record: &Record| record.rows.iter().any(|row| lossy.iter().any(|rows| rows.contains(row)));
    let response = response.iter().map(|record| {
        let (first_day, last_day) = record.days.unwrap_or((i32::MIN, i32::MAX));
        let content = match before.get(&record.key) {
            // A known record has values that this response lacks.
            Some(known) if is_lossy(record) => *known,
            _ => columns.file_digest(record),
        };
        if before.get(&record.key) != Some(&content) {
            keys.insert(record.key.clone());
        }
        KnownRecord { key: record.key.clone(), content, first_day, last_day, rows: record.rows.len() as u64 }
    });
    let response: Vec<_> = response.collect();
    let comparison = compare(known, response, can_remove, |_| true);
    keys.extend(comparison.removed);
    (comparison.changes, Some(keys))
}
