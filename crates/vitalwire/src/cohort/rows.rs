//! Groups the rows of a table into records, with their days and digests.

use std::collections::HashMap;

use sha2::{Digest, Sha256};

use super::table::CohortTable;
use crate::table::{Column, ColumnData, Table};

/// Microseconds of a day.
const DAY: i64 = 86_400_000_000;

/// Rows with the same key.
pub(super) struct Record {
    /// Digest of the key.
    pub(super) key: u64,
    /// Index of the first row.
    first: usize,
    /// Indexes of the other rows. Most records have none.
    others: Vec<usize>,
    /// First and last day that the rows state, since 1970-01-01. `None` if they state none.
    pub(super) days: Option<(i32, i32)>,
}

impl Record {
    /// Returns the indexes of the rows.
    pub(super) fn rows(&self) -> impl Iterator<Item = usize> {
        std::iter::once(self.first).chain(self.others.iter().copied())
    }
}

/// Returns the day in the first day column with a value, since 1970-01-01.
pub(super) fn row_day(columns: &[&Column], row: usize) -> Option<i32> {
    columns.iter().find_map(|column| cell_day(column, row))
}

/// Returns the columns that have the day of a row.
pub(super) fn day_columns(table: CohortTable, rows: &Table) -> Vec<&Column> {
    table.day_columns().iter().filter_map(|name| rows.column(name)).collect()
}

fn cell_day(column: &Column, row: usize) -> Option<i32> {
    if column.is_missing(row) {
        return None;
    }
    match column.data() {
        ColumnData::Date(days) => days.get(row).copied(),
        ColumnData::Instant(times) => times.microseconds().get(row).and_then(|time| i32::try_from(time.div_euclid(DAY)).ok()),
        _ => None,
    }
}

/// Returns the records of a table, in the order of their first rows. Each row without a key is a record of its own.
pub(super) fn records(table: CohortTable, rows: &Table) -> Vec<Record> {
    let key = rows.column(table.key());
    let days = day_columns(table, rows);
    // Use all day columns, because the service may select records by any of them.
    let bounds = |row: usize| {
        let days = days.iter().filter_map(|column| cell_day(column, row));
        days.fold(None, |all: Option<(i32, i32)>, day| Some(all.map_or((day, day), |(first, last)| (first.min(day), last.max(day)))))
    };
    let mut records: Vec<Record> = Vec::new();
    // Days and hours are ordered, and need no lookup.
    let mut is_ordered = true;
    let mut positions: HashMap<u64, usize> = HashMap::new();
    for row in 0..rows.len() {
        let digest = key_digest(key, rows, row);
        if is_ordered && records.last().is_some_and(|last| digest <= last.key) {
            is_ordered = false;
            positions = records.iter().enumerate().map(|(at, record)| (record.key, at)).collect();
        }
        if let Some(record) = positions.get(&digest).and_then(|at| records.get_mut(*at)) {
            record.others.push(row);
            record.days = match (record.days, bounds(row)) {
                (Some(all), Some(new)) => Some((all.0.min(new.0), all.1.max(new.1))),
                (all, new) => all.or(new),
            };
            continue;
        }
        if !is_ordered {
            positions.insert(digest, records.len());
        }
        records.push(Record { key: digest, first: row, others: Vec::new(), days: bounds(row) });
    }
    records
}

/// Returns a digest of the content of a record. Ignores columns without a value, so that a new column is not a change.
pub(super) fn content_digest(table: &Table, record: &Record) -> u64 {
    digest_of(|hash| record.rows().for_each(|row| add_row(hash, table, row)))
}

/// Returns the digest that identifies the record of a row.
pub(super) fn key_digest(key: Option<&Column>, rows: &Table, row: usize) -> u64 {
    let Some(key) = key.filter(|key| !key.is_missing(row)) else { return digest_of(|hash| add_row(hash, rows, row)) };
    match key.data() {
        // Dates and instants fit into the digest, so they need no hash.
        ColumnData::Date(days) => i64::from(days.get(row).copied().unwrap_or_default()).cast_unsigned(),
        ColumnData::Instant(times) => times.microseconds().get(row).copied().unwrap_or_default().cast_unsigned(),
        _ => digest_of(|hash| add_cell(hash, key, row)),
    }
}

fn digest_of(add: impl FnOnce(&mut Sha256)) -> u64 {
    let mut hash = Sha256::new();
    add(&mut hash);
    let digest: [u8; 32] = hash.finalize().into();
    let [a, b, c, d, e, f, g, h, ..] = digest;
    u64::from_le_bytes([a, b, c, d, e, f, g, h])
}

fn add_row(hash: &mut Sha256, table: &Table, row: usize) {
    for column in table.columns().filter(|column| !column.is_missing(row)) {
        add_text(hash, &column.field().name);
        add_cell(hash, column, row);
    }
    hash.update([0xff]);
}

fn add_cell(hash: &mut Sha256, column: &Column, row: usize) {
    match column.data() {
        ColumnData::Number(values) => hash.update(values.get(row).copied().unwrap_or_default().to_bits().to_le_bytes()),
        ColumnData::Integer(values) => hash.update(values.get(row).copied().unwrap_or_default().to_le_bytes()),
        ColumnData::Boolean(values) => hash.update([u8::from(values.get(row).copied().unwrap_or_default())]),
        ColumnData::Date(values) => hash.update(values.get(row).copied().unwrap_or_default().to_le_bytes()),
        ColumnData::Instant(times) | ColumnData::LocalTime(times) => {
            hash.update(times.microseconds().get(row).copied().unwrap_or_default().to_le_bytes());
            hash.update(times.beyond(row).to_le_bytes());
        }
        ColumnData::Text(texts) => add_text(hash, texts.get(row)),
        ColumnData::TextList(lists) => {
            lists.get(row).for_each(|text| add_text(hash, text));
            hash.update([0xfe]);
        }
        _ => {}
    }
}

fn add_text(hash: &mut Sha256, text: &str) {
    hash.update((text.len() as u64).to_le_bytes());
    hash.update(text);
}
