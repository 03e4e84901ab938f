//! Groups the rows of a table into records, with their days and digests.

use std::collections::{HashMap, HashSet};

use sha2::digest::Update;
use sha2::{Digest as _, Sha256};
use vitalwire::range::DateRange;
use vitalwire::table::{Column, ColumnData, Table};

use crate::USER;
use crate::day_set::day_number;
use crate::generated::RecordKind;

/// Microseconds of a day.
const DAY: i64 = 86_400_000_000;

/// Identifies a record among the records of a user and a table, by the value of the column [`RecordKind::key`].
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RecordKey {
    /// Date in days, or instant in microseconds, since 1970-01-01.
    Time(i64),
    /// Id of the record.
    Id(String),
    /// Digest of the row, for a row without a key.
    Content(u64),
}

impl RecordKey {
    /// Returns whether the key is this id, in upper or lower case.
    #[must_use]
    pub fn is_id(&self, id: &str) -> bool {
        matches!(self, Self::Id(key) if key.eq_ignore_ascii_case(id))
    }
}

/// Rows of a user with the same key.
pub struct Record {
    /// Key of the record.
    pub key: RecordKey,
    /// Indexes of the rows, in order.
    pub rows: Vec<usize>,
    /// First and last day that the rows state, since 1970-01-01. `None` if they state none.
    pub days: Option<(i32, i32)>,
}

/// Day that a column states.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StatedDay {
    pub(crate) day: i32,
    /// True if the column has dates, whose time zone is unknown. False if it has instants.
    pub(crate) is_date: bool,
}

impl StatedDay {
    /// Returns the first day in UTC that the value can be on.
    pub(crate) fn first(self) -> i32 {
        self.day.saturating_sub(i32::from(self.is_date))
    }

    /// Returns the last day in UTC that the value can be on.
    pub(crate) fn last(self) -> i32 {
        self.day.saturating_add(i32::from(self.is_date))
    }
}

/// Columns that identify the records of a table and their days.
pub struct RecordColumns<'a> {
    rows: &'a Table,
    key: Option<&'a Column>,
    days: Vec<&'a Column>,
    /// Columns of times by which rows are sorted.
    times: Vec<&'a Column>,
    /// Columns of the content, in the order of digests.
    content: Vec<&'a Column>,
    /// Whether requests select records by the first day column.
    has_requested_days: bool,
}

impl<'a> RecordColumns<'a> {
    /// Finds the columns of a kind in its rows.
    #[must_use]
    pub fn new(table: RecordKind, rows: &'a Table) -> Self {
        let columns = |names: &[&str]| -> Vec<&'a Column> { names.iter().filter_map(|name| rows.column(name)).collect() };
        Self {
            rows,
            key: rows.column(table.key()),
            days: columns(table.day_columns()),
            times: columns(table.sort_columns()),
            content: content_columns(rows),
            has_requested_days: table.filter_column().is_some(),
        }
    }

    /// Returns the key of a row.
    pub fn key(&self, row: usize) -> RecordKey {
        let Some(key) = self.key.filter(|key| !key.is_missing(row)) else {
            return RecordKey::Content(digest_of(|hash| add_row(hash, &self.content, row, Precision::Nanoseconds)));
        };
        match key.data() {
            ColumnData::Date(days) => RecordKey::Time(days.get(row).copied().unwrap_or_default().into()),
            ColumnData::Instant(times) => RecordKey::Time(times.microseconds().get(row).copied().unwrap_or_default()),
            ColumnData::Text(texts) => RecordKey::Id(texts.get(row).to_owned()),
            _ => RecordKey::Content(digest_of(|hash| add_cell(hash, key, row, Precision::Nanoseconds))),
        }
    }

    /// Returns the rows that can be stored. They have a key. If requests select rows by the first day column, they are on one of the
    /// requested days. Of several rows with the same key, only the last one is returned, unless a record can have several rows.
    pub fn valid_rows(&self, table: RecordKind, days: DateRange) -> Vec<usize> {
        // A sleep can belong to a day beside the one that lists it, and may state no day.
        let is_sleep = table.requests_sleeps();
        let margin = if is_sleep { i32::try_from(table.filter_margin_days()).unwrap_or_default() } else { 0 };
        let requested = day_number(days.first()) - margin..=day_number(days.last()) + margin;
        let is_valid = |row: &usize| {
            let has_key = self.key.is_some_and(|key| !key.is_missing(*row));
            has_key && (!self.has_requested_days || self.day(*row).map_or(is_sleep, |day| requested.contains(&day)))
        };
        let valid = (0..self.rows.len()).filter(is_valid);
        if table.has_several_rows() {
            return valid.collect();
        }
        let mut rows: Vec<usize> = Vec::with_capacity(self.rows.len());
        let mut last: HashMap<RecordKey, usize> = HashMap::new();
        let mut is_ordered = true;
        for row in valid {
            is_ordered &= rows.last().is_none_or(|before| self.key(*before) < self.key(row));
            rows.push(row);
        }
        if !is_ordered {
            last.extend(rows.iter().map(|row| (self.key(*row), *row)));
            rows.retain(|row| last.get(&self.key(*row)) == Some(row));
        }
        rows
    }

    /// Returns the day in the first day column with a value, since 1970-01-01.
    pub fn day(&self, row: usize) -> Option<i32> {
        self.days.iter().find_map(|column| cell_day(column, row))
    }

    /// Returns the time by which the rows of a user are sorted, in days or microseconds since 1970-01-01. It is the value of the first sort
    /// column that has one.
    pub fn time(&self, row: usize) -> Option<i64> {
        self.times.iter().find_map(|column| cell_time(column, row))
    }

    /// Returns the first and the last day that a row states. If requests do not select records by the first day column, uses all day columns,
    /// because the service may select records by any of them.
    fn day_bounds(&self, row: usize) -> Option<(i32, i32)> {
        if self.has_requested_days {
            return self.day(row).map(|day| (day, day));
        }
        let days = self.days.iter().filter_map(|column| cell_day(column, row));
        days.fold(None, |all: Option<(i32, i32)>, day| Some(all.map_or((day, day), |(first, last)| (first.min(day), last.max(day)))))
    }

    /// Groups rows of one user into records, in the order of their first rows.
    pub fn records(&self, rows: impl IntoIterator<Item = usize>) -> Vec<Record> {
        let mut records: Vec<Record> = Vec::new();
        // Days and hours are ordered, and need no lookup.
        let mut positions: Option<HashMap<RecordKey, usize>> = None;
        for row in rows {
            let key = self.key(row);
            if positions.is_none() && records.last().is_some_and(|last| key <= last.key) {
                positions = Some(records.iter().enumerate().map(|(at, record)| (record.key.clone(), at)).collect());
            }
            if let Some(record) = positions.as_ref().and_then(|positions| records.get_mut(*positions.get(&key)?)) {
                record.rows.push(row);
                record.days = match (record.days, self.day_bounds(row)) {
                    (Some(all), Some(new)) => Some((all.0.min(new.0), all.1.max(new.1))),
                    (all, new) => all.or(new),
                };
                continue;
            }
            if let Some(positions) = &mut positions {
                positions.insert(key.clone(), records.len());
            }
            records.push(Record { key, rows: vec![row], days: self.day_bounds(row) });
        }
        records
    }

    /// Returns a digest of the content of a record. Ignores columns without a value, so that a new column is not a change.
    pub fn content_digest(&self, record: &Record) -> u64 {
        digest_of(|hash| self.add_content(hash, record))
    }

    /// Returns a digest of the content of a record in the form that Parquet files have: rows in the order of their times, and times in
    /// microseconds. The digest is the same for a response and for the rows of the file written from this response.
    pub fn file_digest(&self, record: &Record) -> u64 {
        let mut rows = record.rows.clone();
        // Files are sorted in the same way. Rows with the same time keep their order.
        rows.sort_by_key(|row| self.time(*row));
        digest_of(|hash| rows.iter().for_each(|row| add_row(hash, &self.content, *row, Precision::Microseconds)))
    }

    /// Adds the content of a record to a hash. Ignores columns without a value, so that a new column is not a change.
    pub(crate) fn add_content(&self, hash: &mut impl Update, record: &Record) {
        record.rows.iter().for_each(|row| add_row(hash, &self.content, *row, Precision::Nanoseconds));
    }

    /// Returns the day of a row in each day column of the kind. `None` for a column without a value, and for a column that the table lacks.
    pub(crate) fn stated_days(&self, kind: RecordKind, row: usize) -> Vec<Option<StatedDay>> {
        let stated = |name: &&str| {
            let column = self.rows.column(name)?;
            Some(StatedDay { day: cell_day(column, row)?, is_date: matches!(column.data(), ColumnData::Date(_)) })
        };
        kind.day_columns().iter().map(stated).collect()
    }
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

fn cell_time(column: &Column, row: usize) -> Option<i64> {
    match column.data() {
        _ if column.is_missing(row) => None,
        ColumnData::Date(days) => days.get(row).copied().map(i64::from),
        ColumnData::Instant(times) => times.microseconds().get(row).copied(),
        _ => None,
    }
}

/// Returns the columns of the content, in the order of digests: those of the specification in the order of the table, then the others by name.
/// In a table, the other columns are in the order of their first appearance, which must not affect the digest.
fn content_columns(rows: &Table) -> Vec<&Column> {
    let declared: HashSet<&str> = rows.spec().fields().iter().map(|field| &*field.name).collect();
    let columns = rows.columns().filter(|column| column.field().name != USER);
    let (mut content, mut others): (Vec<&Column>, Vec<&Column>) = columns.partition(|column| declared.contains(&*column.field().name));
    others.sort_by(|one, other| one.field().name.cmp(&other.field().name));
    content.append(&mut others);
    content
}

/// Precision of times in digests.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Precision {
    Nanoseconds,
    Microseconds,
}

fn digest_of(add: impl FnOnce(&mut Sha256)) -> u64 {
    let mut hash = Sha256::new();
    add(&mut hash);
    let digest: [u8; 32] = hash.finalize().into();
    let [a, b, c, d, e, f, g, h, ..] = digest;
    u64::from_le_bytes([a, b, c, d, e, f, g, h])
}

fn add_row(hash: &mut impl Update, columns: &[&Column], row: usize, precision: Precision) {
    for column in columns.iter().filter(|column| !column.is_missing(row)) {
        add_text(hash, &column.field().name);
        add_cell(hash, column, row, precision);
    }
    hash.update(&[0xff]);
}

fn add_cell(hash: &mut impl Update, column: &Column, row: usize, precision: Precision) {
    match column.data() {
        ColumnData::Number(values) => hash.update(&values.get(row).copied().unwrap_or_default().to_bits().to_le_bytes()),
        ColumnData::Integer(values) => hash.update(&values.get(row).copied().unwrap_or_default().to_le_bytes()),
        ColumnData::Boolean(values) => hash.update(&[u8::from(values.get(row).copied().unwrap_or_default())]),
        ColumnData::Date(values) => hash.update(&values.get(row).copied().unwrap_or_default().to_le_bytes()),
        ColumnData::Instant(times) | ColumnData::LocalTime(times) => {
            hash.update(&times.microseconds().get(row).copied().unwrap_or_default().to_le_bytes());
            let beyond = if precision == Precision::Nanoseconds { times.beyond(row) } else { 0 };
            hash.update(&beyond.to_le_bytes());
        }
        ColumnData::Text(texts) => add_text(hash, texts.get(row)),
        ColumnData::TextList(lists) => {
            lists.get(row).for_each(|text| add_text(hash, text));
            hash.update(&[0xfe]);
        }
        _ => {}
    }
}

fn add_text(hash: &mut impl Update, text: &str) {
    hash.update(&(text.len() as u64).to_le_bytes());
    hash.update(text.as_bytes());
}
