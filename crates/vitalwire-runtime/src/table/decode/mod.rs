//! The decoder of all tables. It follows the plan of the table and writes each value directly into its column. A body is first read at a
//! cursor, and through serde if that fails; see [`access`].
//!
//! The rules are those of the models (`value::decode`). A required field that is missing or has a wrong type is an error with its path.
//! A list item that cannot be decoded is skipped. If a name occurs twice, the last value is used. An optional value of an unexpected type
//! is skipped, and counted instead of kept.

mod access;
mod cell;
mod cursor_access;
mod names;
mod numbers;
mod object_state;
mod parent_values;
mod record;
mod samples;
mod serde_access;
mod valid_items;

use std::borrow::Cow;
use std::collections::HashMap;

use serde::de::{DeserializeSeed, Deserializer, Error};

use self::access::ValueAccess;
pub(super) use self::cell::days_since_1970;
use self::object_state::ObjectState;
use self::record::{RecordReader, RowsReader};
pub(super) use self::samples::first_series;
use self::serde_access::SerdeValue;
use super::cells::{Cells, Scalar};
use super::data_loss::SkipTarget;
use super::read_plan::{RESPONSE, TableSource};
use super::selection::ColumnSelection;
use super::{Column, ColumnKind, Field, Table, TableSpec};
use crate::value::Date;
use crate::value::decode::{DecodeFailure, DecodeRules, DecodedValue, FastPathError, charge, decode_with_seed, read_whole, skipped_count};

/// Number of bytes of a body that are sampled to estimate its number of rows.
const SAMPLE_BYTES: usize = 64 << 10;

/// Reads a table, or with a selection at least its columns. `basis` is the basis of its numbers.
pub(crate) fn read_table(
    spec: &'static TableSpec,
    source: &'static TableSource,
    basis: Option<&'static str>,
    body: &[u8],
    strict_lists: bool,
    selection: Option<&ColumnSelection<'_>>,
) -> Result<DecodedValue<Table>, DecodeFailure> {
    let fast = |text: &str, table: TableReader<'_>| {
        let table = TableReader { selection, ..table };
        read_whole(text, |cursor| table.read_response(source, basis, cursor))
    };
    read_with((spec, source, basis), body, strict_lists, fast)
}

/// Reads a table through serde only, to compare the fast path with it.
#[cfg(feature = "__fuzzing")]
pub(crate) fn read_table_by_serde(
    spec: &'static TableSpec,
    source: &'static TableSource,
    body: &[u8],
) -> Result<DecodedValue<Table>, DecodeFailure> {
    read_with((spec, source, source.basis), body, false, |_, _| Err(FastPathError::Unsupported))
}

/// Reads a table with `fast`, or if that fails through serde.
fn read_with(
    (spec, source, basis): (&'static TableSpec, &'static TableSource, Option<&'static str>),
    body: &[u8],
    strict_lists: bool,
    fast: impl FnOnce(&str, TableReader<'static>) -> Result<Table, FastPathError>,
) -> Result<DecodedValue<Table>, DecodeFailure> {
    let reader = |text: &str| {
        let mut table = Table::empty(spec);
        let expected_rows = source.node.first_row_field().map_or(0, |key| estimate_rows(text, key));
        table.columns.iter_mut().for_each(|column| column.cells.expected_rows = expected_rows);
        TableReader { declared: table.columns.len(), table, undeclared: HashMap::new(), selection: None }
    };
    let rules = DecodeRules { declared: spec.field_names, strict_lists };
    decode_with_seed(body, rules, |text| fast(text, reader(text)), |text| TableSeed { reader: reader(text), source, basis })
}

/// Estimates the number of rows in a body.
fn estimate_rows(text: &str, key: &str) -> usize {
    let sample = text.as_bytes().get(..SAMPLE_BYTES).unwrap_or(text.as_bytes());
    if sample.is_empty() {
        return 0;
    }
    let found = memchr::memmem::find_iter(sample, format!("\"{key}\"").as_bytes()).count();
    if sample.len() == text.len() {
        return found;
    }
    // Add a twentieth, so that a body whose rows become shorter does not reallocate for its last rows.
    let all = found.saturating_mul(text.len()) / sample.len();
    all + all / 20
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ReadOutcome {
    /// The value is in its column.
    Stored,
    /// The value was `null`.
    Null,
    /// The value had an unexpected type.
    WrongType,
}

/// A table in progress.
struct TableReader<'s> {
    table: Table,
    /// Number of columns in the specification. Columns after them have undeclared names.
    declared: usize,
    /// Columns of undeclared numbers, by name; `None` if another column already has the name.
    undeclared: HashMap<String, Option<usize>>,
    /// Columns to read; all if there is none. Only the fast path has a selection.
    selection: Option<&'s ColumnSelection<'s>>,
}

impl TableReader<'_> {
    /// Reads a response.
    fn read_response<A: ValueAccess>(
        mut self,
        source: &'static TableSource,
        basis: Option<&'static str>,
        response: A,
    ) -> Result<Table, A::Error> {
        let (table, state) = (&mut self, &mut ObjectState::new(source.node));
        if source.is_list {
            response.read(&mut RowsReader { table, state, list: RESPONSE, strict: true })?;
        } else {
            response.read(&mut RecordReader { table, state, strict: true })?;
        }
        self.finish(basis)
    }

    #[inline]
    fn cells(&mut self, column: usize) -> Option<&mut super::cells::Cells> {
        self.table.columns.get_mut(column).map(|column| &mut column.cells)
    }

    /// Counts a value skipped from a column because of its type.
    #[cold]
    fn count_wrong_type(&mut self, column: usize) {
        let Some(Column { field, .. }) = self.table.columns.get(column) else { return };
        self.count_skipped(column, field.kind.expected());
    }

    /// Counts a value skipped from a column for another reason.
    fn count_skipped(&mut self, column: usize, reason: &'static str) {
        let Some(Column { field, .. }) = self.table.columns.get(column) else { return };
        let target = if column < self.declared { SkipTarget::Column } else { SkipTarget::UndeclaredColumn };
        self.record_skip(field.name.clone(), target, reason);
    }

    /// Counts a field of the response that was skipped as a whole.
    #[cold]
    fn count_skipped_field(&mut self, field: &'static str, reason: &'static str) {
        self.record_skip(field.into(), SkipTarget::Field, reason);
    }

    fn record_skip(&mut self, name: Cow<'static, str>, target: SkipTarget, reason: &'static str) {
        self.table.skipped.count(name, target, reason);
        tracing::debug!(table = self.table.spec.name(), row = self.table.rows, reason, "left out a value of an unexpected type or range");
    }

    /// Counts the items skipped from a list of texts since the count was `before`.
    fn count_skipped_texts(&mut self, column: Option<usize>, field: &'static str, before: u64) {
        for _ in before..skipped_count() {
            match column {
                Some(column) => self.count_skipped(column, ColumnKind::Text.expected()),
                None => self.count_skipped_field(field, ColumnKind::Text.expected()),
            }
        }
    }

    /// Returns a column of the specification, if it is selected.
    #[inline]
    fn selected(&self, column: usize) -> Option<usize> {
        self.selection.is_none_or(|selection| selection.is_needed(column)).then_some(column)
    }

    /// Returns the column of an undeclared number if it is selected, and creates it if necessary.
    fn undeclared_column<E: Error>(&mut self, name: &str) -> Result<Option<usize>, E> {
        if self.selection.is_some_and(|selection| !selection.contains(name)) {
            return Ok(None);
        }
        if let Some(column) = self.undeclared.get(name) {
            return Ok(*column);
        }
        // Charged for the column, the map of names, and the count of skipped values.
        charge(3 * size_of::<Column>() + 3 * name.len())?;
        let exists = self.table.columns.iter().take(self.declared).any(|column| column.field.name == name);
        let column = (!exists).then(|| {
            self.table.columns.push(Column::new(undeclared_field(name)));
            self.table.columns.len() - 1
        });
        self.undeclared.insert(name.to_owned(), column);
        Ok(column)
    }

    /// Removes the rows from `row` on, because their list occurs again.
    fn truncate(&mut self, row: usize) {
        self.table.rows = row;
        self.table.columns.iter_mut().for_each(|column| column.cells.truncate(row));
    }

    /// Ends the table: adds the basis of its numbers, and removes empty columns of undeclared names.
    fn finish<E: Error>(self, basis: Option<&'static str>) -> Result<Table, E> {
        let mut table = self.table;
        let declared = self.declared;
        if let Some(basis) = basis
            && let Some(column) = table.columns.iter_mut().find(|column| column.field.name == "basis")
        {
            for row in 0..table.rows {
                charge(basis.len() + 4)?;
                column.cells.put(row, Scalar::Text(basis))?;
            }
        }
        for (from, to) in table.spec.derived {
            derive_column(&mut table, *from, *to)?;
        }
        let mut at = 0;
        table.columns.retain(|column| {
            at += 1;
            at <= declared || !column.is_empty()
        });
        table.finish()?;
        Ok(table)
    }
}

/// Sets the cells of a derived column: from a number whether it is above 0, from a text the date with which it begins.
fn derive_column<E: Error>(table: &mut Table, from: usize, to: usize) -> Result<(), E> {
    charge(table.rows.saturating_mul(size_of::<i32>()))?;
    let (Some(source), Some(target)) = (table.columns.get(from), table.columns.get(to)) else { return Ok(()) };
    let is_flag = target.field.kind == ColumnKind::Boolean;
    let value = |row| match source.cells.scalar(row) {
        Some(Scalar::Number(number)) => Some(Scalar::Boolean(number > 0.0)),
        Some(Scalar::Text(text)) => Date::leading(text).map(|date| Scalar::Date(days_since_1970(date))),
        // A missing number is not above 0.
        _ => is_flag.then_some(Scalar::Boolean(false)),
    };
    let mut cells = Cells::new(target.field.kind);
    for row in 0..table.rows {
        if let Some(value) = value(row) {
            cells.put(row, value)?;
        }
    }
    if let Some(target) = table.columns.get_mut(to) {
        target.cells = cells;
    }
    Ok(())
}

/// Returns the field of a number with an undeclared name.
pub(super) fn undeclared_field(name: &str) -> Field {
    let doc = "A number under a name that this version does not know.";
    Field { name: name.to_owned().into(), kind: ColumnKind::Number, unit: None, nullable: true, doc }
}

struct TableSeed {
    reader: TableReader<'static>,
    source: &'static TableSource,
    basis: Option<&'static str>,
}

impl<'de> DeserializeSeed<'de> for TableSeed {
    type Value = Table;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Table, D::Error> {
        self.reader.read_response(self.source, self.basis, SerdeValue::new(deserializer))
    }
}
