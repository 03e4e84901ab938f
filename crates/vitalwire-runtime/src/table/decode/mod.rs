//! The decoder of all tables. It follows the plan of the table and writes each value directly into its column.
//!
//! The rules are those of the models (`value::decode`). A required field that is missing or has a wrong type is an error with its path.
//! A list item that cannot be decoded is skipped. If a name occurs twice, the last value is used. An optional value of an unexpected type
//! is skipped, and counted instead of kept.

mod cell;
mod drain;
mod object;
mod record;
mod samples;
mod skip;
mod text_list;

use std::borrow::Cow;
use std::collections::HashMap;

use serde::de::{DeserializeSeed, Deserializer, Error};

use self::object::{ObjectSeed, RowsSeed};
use super::cells::Scalar;
use super::losses::Named;
use super::plan::{RESPONSE, Source};
use super::{Column, ColumnKind, Field, Table, TableSpec};
use crate::value::decode::{DecodeFailure, Decoded, Rules, charge, seeded, skipped_count};

/// Number of bytes of a body that are sampled to estimate its number of rows.
const SAMPLE: usize = 64 << 10;

/// Reads a table. `basis` is the basis of its numbers.
pub(crate) fn read(
    spec: &'static TableSpec,
    source: &'static Source,
    basis: Option<&'static str>,
    body: &[u8],
    strict_lists: bool,
) -> Result<Decoded<Table>, DecodeFailure> {
    seeded(body, Rules { declared: spec.members, strict_lists }, |text| {
        let mut table = Table::empty(spec);
        let expect = source.node.row_key().map_or(0, |key| rows(text, key));
        table.columns.iter_mut().for_each(|column| column.cells.expect = expect);
        TableSeed { reader: Reader { declared: table.columns.len(), table, names: HashMap::new() }, source, basis }
    })
}

/// Estimates the number of rows in a body.
fn rows(text: &str, key: &str) -> usize {
    let sample = text.as_bytes().get(..SAMPLE).unwrap_or(text.as_bytes());
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

/// Outcome of reading a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Taken {
    /// The value is in its column.
    Yes,
    /// The value was `null`.
    Null,
    /// The value had an unexpected type.
    No,
}

impl From<()> for Taken {
    fn from((): ()) -> Self {
        Self::Yes
    }
}

/// A table in progress.
struct Reader {
    table: Table,
    /// Number of columns in the specification. Columns after them have undeclared names.
    declared: usize,
    /// Columns of undeclared numbers, by name; `None` if another column already has the name.
    names: HashMap<String, Option<usize>>,
}

impl Reader {
    fn cells(&mut self, column: usize) -> Option<&mut super::cells::Cells> {
        self.table.columns.get_mut(column).map(|column| &mut column.cells)
    }

    /// Counts a value skipped from a column because of its type.
    #[cold]
    fn skip(&mut self, column: usize) {
        let Some(Column { field, .. }) = self.table.columns.get(column) else { return };
        self.skip_because(column, field.kind.expected());
    }

    /// Counts a value skipped from a column for another reason.
    fn skip_because(&mut self, column: usize, reason: &'static str) {
        let Some(Column { field, .. }) = self.table.columns.get(column) else { return };
        let named = if column < self.declared { Named::Column } else { Named::Unknown };
        self.count(field.name.clone(), named, reason);
    }

    /// Counts a field of the response that was skipped as a whole.
    #[cold]
    fn skip_member(&mut self, member: &'static str, reason: &'static str) {
        self.count(member.into(), Named::Member, reason);
    }

    fn count(&mut self, name: Cow<'static, str>, named: Named, reason: &'static str) {
        self.table.skipped.count(name, named, reason);
        tracing::debug!(table = self.table.spec.name(), row = self.table.rows, reason, "left out a value of an unexpected type or range");
    }

    /// Counts the items skipped from a list of texts since the count was `before`.
    fn skip_texts(&mut self, column: Option<usize>, member: &'static str, before: u64) {
        for _ in before..skipped_count() {
            match column {
                Some(column) => self.skip_because(column, ColumnKind::Text.expected()),
                None => self.skip_member(member, ColumnKind::Text.expected()),
            }
        }
    }

    /// Returns the column of an undeclared number, and creates it if necessary.
    fn unknown<E: Error>(&mut self, name: &str) -> Result<Option<usize>, E> {
        if let Some(column) = self.names.get(name) {
            return Ok(*column);
        }
        // Charged for the column, the map of names, and the count of skipped values.
        charge(3 * size_of::<Column>() + 3 * name.len())?;
        let taken = self.table.columns.iter().take(self.declared).any(|column| column.field.name == name);
        let column = (!taken).then(|| {
            self.table.columns.push(Column::new(unknown(name)));
            self.table.columns.len() - 1
        });
        self.names.insert(name.to_owned(), column);
        Ok(column)
    }

    /// Removes the rows from `row` on, because their list occurs again.
    fn truncate(&mut self, row: usize) {
        self.table.rows = row;
        self.table.columns.iter_mut().for_each(|column| column.cells.truncate(row));
    }
}

/// Returns the field of a number with an undeclared name.
pub(super) fn unknown(name: &str) -> Field {
    let doc = "A number under a name that this version does not know.";
    Field { name: name.to_owned().into(), kind: ColumnKind::Number, unit: None, nullable: true, doc }
}

struct TableSeed {
    reader: Reader,
    source: &'static Source,
    basis: Option<&'static str>,
}

impl<'de> DeserializeSeed<'de> for TableSeed {
    type Value = Table;

    fn deserialize<D: Deserializer<'de>>(mut self, deserializer: D) -> Result<Table, D::Error> {
        let reader = &mut self.reader;
        if self.source.list {
            RowsSeed { reader, node: self.source.node, list: RESPONSE, strict: true }.deserialize(deserializer)?;
        } else {
            ObjectSeed { reader, node: self.source.node, strict: true }.deserialize(deserializer)?;
        }
        let mut table = self.reader.table;
        let declared = self.reader.declared;
        if let Some(basis) = self.basis
            && let Some(column) = table.columns.iter_mut().find(|column| column.field.name == "basis")
        {
            for row in 0..table.rows {
                charge(basis.len() + 4)?;
                column.cells.put(row, Scalar::Text(basis))?;
            }
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
