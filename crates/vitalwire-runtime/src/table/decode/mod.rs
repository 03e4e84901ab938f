//! One decoder for every table: it walks an answer by the table's plan and writes each value straight into its column.
//!
//! The rules are those of the models (`value::decode`): a required member that is missing or wrong is an error that names its
//! place, a list item that cannot be decoded is left out, of a name that comes twice the last value counts, and a value of an unexpected
//! type in an optional place is left out, here counted instead of kept.

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

/// How much of a body is looked at to know how many rows it will have.
const SAMPLE: usize = 64 << 10;

/// Reads a table; `basis` is what its numbers refer to.
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

/// About how many rows a body will have.
fn rows(text: &str, key: &str) -> usize {
    let sample = text.as_bytes().get(..SAMPLE).unwrap_or(text.as_bytes());
    if sample.is_empty() {
        return 0;
    }
    let found = memchr::memmem::find_iter(sample, format!("\"{key}\"").as_bytes()).count();
    if sample.len() == text.len() {
        return found;
    }
    // A twentieth more, so that a body whose rows become shorter is not copied for its last rows.
    let all = found.saturating_mul(text.len()) / sample.len();
    all + all / 20
}

/// How a value was taken.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Taken {
    /// It is in its column.
    Yes,
    /// It was `null`.
    Null,
    /// It was of an unexpected type.
    No,
}

impl From<()> for Taken {
    fn from((): ()) -> Self {
        Self::Yes
    }
}

/// A table that is being read.
struct Reader {
    table: Table,
    /// How many columns the specification has; those after them have unknown names.
    declared: usize,
    /// Unknown names of numbers, and their columns; `None` where a column has the name already.
    names: HashMap<String, Option<usize>>,
}

impl Reader {
    fn cells(&mut self, column: usize) -> Option<&mut super::cells::Cells> {
        self.table.columns.get_mut(column).map(|column| &mut column.cells)
    }

    /// Counts a value that is left out of a column.
    #[cold]
    fn skip(&mut self, column: usize) {
        let Some(Column { field, .. }) = self.table.columns.get(column) else { return };
        self.skip_because(column, field.kind.expected());
    }

    /// As [`Reader::skip`], for another reason than the column's kind.
    fn skip_because(&mut self, column: usize, reason: &'static str) {
        let Some(Column { field, .. }) = self.table.columns.get(column) else { return };
        let named = if column < self.declared { Named::Column } else { Named::Unknown };
        self.count(field.name.clone(), named, reason);
    }

    /// Counts a member of the answer that is left out as a whole.
    #[cold]
    fn skip_member(&mut self, member: &'static str, reason: &'static str) {
        self.count(member.into(), Named::Member, reason);
    }

    fn count(&mut self, name: Cow<'static, str>, named: Named, reason: &'static str) {
        self.table.skipped.count(name, named, reason);
        tracing::debug!(table = self.table.spec.name(), row = self.table.rows, reason, "left out a value of an unexpected type or range");
    }

    /// Counts the items that a list of texts left out since there were `before`.
    fn skip_texts(&mut self, column: Option<usize>, member: &'static str, before: u64) {
        for _ in before..skipped_count() {
            match column {
                Some(column) => self.skip_because(column, ColumnKind::Text.expected()),
                None => self.skip_member(member, ColumnKind::Text.expected()),
            }
        }
    }

    /// The column of an unknown number.
    fn unknown<E: Error>(&mut self, name: &str) -> Result<Option<usize>, E> {
        if let Some(column) = self.names.get(name) {
            return Ok(*column);
        }
        // In the column, in the map of names, and, where its values are left out, in the count of those.
        charge(3 * size_of::<Column>() + 3 * name.len())?;
        let taken = self.table.columns.iter().take(self.declared).any(|column| column.field.name == name);
        let column = (!taken).then(|| {
            self.table.columns.push(Column::new(unknown(name)));
            self.table.columns.len() - 1
        });
        self.names.insert(name.to_owned(), column);
        Ok(column)
    }

    /// Forgets the rows from `row` on: their list came again.
    fn truncate(&mut self, row: usize) {
        self.table.rows = row;
        self.table.columns.iter_mut().for_each(|column| column.cells.truncate(row));
    }
}

/// The field of a number under an unknown name.
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
