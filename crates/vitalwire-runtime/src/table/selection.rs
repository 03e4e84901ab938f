//! Selection of columns, so that reading a table skips the values of all others.

use super::read_plan::{ObjectPlan, TableSource, ValuePlan, ValueRole};
use super::{Column, Table, TableSpec};
use crate::error::Error;

/// Columns to read.
pub(crate) struct ColumnSelection<'a> {
    names: &'a [&'a str],
    /// Whether each column of the specification is read: the selected ones, and those from which a selected one is computed.
    needed: Vec<bool>,
}

impl<'a> ColumnSelection<'a> {
    /// Creates a selection of the columns with these names.
    pub(crate) fn new(spec: &'static TableSpec, source: &'static TableSource, names: &'a [&'a str]) -> Self {
        let needed = spec.fields.iter().map(|field| names.contains(&&*field.name)).collect();
        let mut selection = Self { names, needed };
        spec.derived.iter().for_each(|(from, to)| selection.add_source(*from, *to));
        selection.add_sources(source.node);
        selection
    }

    /// Adds the column from which another one is computed, if that is selected.
    fn add_source(&mut self, from: usize, to: usize) {
        if self.is_needed(to)
            && let Some(needed) = self.needed.get_mut(from)
        {
            *needed = true;
        }
    }

    /// Adds the columns from which the selected ones are computed.
    fn add_sources(&mut self, node: &ObjectPlan) {
        // Local times are computed from instants, which may be computed from offsets.
        for (from, to) in node.local_times.iter().copied().chain(node.sample_times) {
            self.add_source(from, to);
        }
        for slot in node.fields {
            match slot.read {
                ValuePlan::Object(inner) | ValuePlan::Rows(inner) => self.add_sources(inner),
                ValuePlan::Samples(inner) => {
                    self.add_sources(inner);
                    // The number of rows is the length of the first series.
                    if let Some(needed) = super::decode::first_series(inner).and_then(|column| self.needed.get_mut(column)) {
                        *needed = true;
                    }
                }
                ValuePlan::Cell { .. }
                | ValuePlan::Numbers { .. }
                | ValuePlan::Series { .. }
                | ValuePlan::SeriesMap { .. }
                | ValuePlan::Unread => {}
            }
        }
    }

    /// Whether a column of the specification is read.
    #[inline]
    pub(crate) fn is_needed(&self, column: usize) -> bool {
        self.needed.get(column).copied().unwrap_or(false)
    }

    /// Whether a number with an undeclared name is read.
    pub(crate) fn contains(&self, name: &str) -> bool {
        self.names.contains(&name)
    }

    /// Whether a single value is read, for its column or its role.
    #[inline]
    pub(crate) fn needs_value(&self, column: Option<usize>, role: ValueRole) -> bool {
        role != ValueRole::Plain || column.is_some_and(|column| self.is_needed(column))
    }
}

impl Table {
    /// Reads some columns of a table from the body of a response, in this order. The values of other columns are skipped, unless they are
    /// required: only their JSON syntax is checked, and [`Table::skipped`] does not count them. The rows are those of [`Table::read`].
    ///
    /// # Errors
    /// `invalid_argument` if a name is neither that of a column of the table nor of a number in the response; the errors of
    /// [`Table::read`].
    pub fn read_columns(table: impl Into<&'static TableSpec>, operation: &str, columns: &[&str], body: &[u8]) -> Result<Self, Error> {
        let spec = table.into();
        let source = super::find_source(spec, operation)?;
        let selection = ColumnSelection::new(spec, source, columns);
        let read = super::decode::read_table(spec, source, source.basis, body, false, Some(&selection));
        read.map_err(Error::from_decode_failure)?.value.only_columns(columns)
    }

    /// Copies some columns into a new table, in this order. Exports include them even if no row has a value.
    ///
    /// # Errors
    /// `invalid_argument` if there is no column of a name.
    pub fn only_columns(&self, columns: &[&str]) -> Result<Self, Error> {
        let mut selected: Vec<Column> = Vec::with_capacity(columns.len());
        for name in columns {
            let unknown = || Error::invalid_argument("columns", "must be names of columns of the table");
            let column = self.column(name).ok_or_else(unknown)?;
            // A repeated name keeps its first position.
            if selected.iter().all(|earlier| earlier.field.name != *name) {
                selected.push(Column { always: true, ..column.clone() });
            }
        }
        let Self { spec, rows, time_unit, empty_columns, .. } = *self;
        let mut table = Self { spec, columns: selected, rows, skipped: self.skipped.clone(), time_unit, empty_columns };
        table.retain_skip_counts();
        Ok(table)
    }
}
