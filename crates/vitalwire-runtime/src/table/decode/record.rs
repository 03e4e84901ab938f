//! Decoding of records: objects that are rows, or that contain rows and repeat their values in each of them.

use serde::de::{Error, IgnoredAny, MapAccess};

use super::cell::CellSeed;
use super::object::{FieldSeed, NumbersSeed, ObjectSeed, RowsSeed};
use super::samples::SamplesSeed;
use super::{ReadOutcome, TableReader};
use crate::table::ColumnKind;
use crate::table::cells::{Cells, Scalar};
use crate::table::read_plan::{FieldPlan, ObjectPlan, ValuePlan, ValueRole};
use crate::table::times::Time;
use crate::value::decode::{NameLookup, PathStep, charge, enter_step, record_step, skipped_count};

const NANOSECONDS_PER_MILLISECOND: f64 = 1_000_000.0;
const SECONDS_PER_MINUTE: i64 = 60;

/// Maximum offset from UTC, in minutes; the same as in `Timestamp::local`.
const MAX_OFFSET_MINUTES: u64 = 26 * 60 - 1;

/// Values of an object that are repeated in each of its rows, kept until the number of rows is known.
#[derive(Default)]
pub(super) struct ParentValues {
    /// Column index and its single cell.
    cells: Vec<(usize, Cells)>,
    time_offset: Option<i64>,
    start: Option<Time>,
}

impl ParentValues {
    /// Keeps the value of a single cell for the role that it has in addition to its column.
    pub(super) fn set_role(&mut self, role: ValueRole, cells: &Cells, row: usize) {
        match role {
            ValueRole::Plain => {}
            ValueRole::TimeOffset => self.time_offset = cells.scalar(row).and_then(as_integer),
            ValueRole::Start => self.start = cells.scalar(row).and_then(as_instant),
        }
    }

    /// Keeps a value to repeat, in place of an earlier one.
    pub(super) fn set_cell(&mut self, column: usize, cell: Cells) {
        self.cells.retain(|(other, _)| *other != column);
        self.cells.push((column, cell));
    }
}

impl TableReader {
    /// Reads the fields of an object.
    pub(super) fn read_record<'de, A: MapAccess<'de>>(&mut self, node: &'static ObjectPlan, mut fields: A) -> Result<(), A::Error> {
        let start = self.table.rows;
        let mut seen = 0_u64;
        let mut parent = ParentValues::default();
        let mut lookup = NameLookup::new(node.names, node.index_of);
        while let Some(index) = fields.next_key_seed(FieldSeed(&mut lookup))? {
            let Some((index, slot)) = index.and_then(|index| Some((index, node.fields.get(index)?))) else {
                fields.next_value::<IgnoredAny>()?;
                continue;
            };
            let bit = 1 << index;
            if seen & bit != 0 {
                self.clear_field(slot, start);
            }
            seen |= bit;
            let outcome = self.read_field(node, slot, node.required & bit != 0, &mut fields, &mut parent);
            if outcome.inspect_err(|_| record_step(PathStep::Field(slot.name)))? == ReadOutcome::WrongType {
                self.count_skipped_value(slot);
            }
        }
        let missing = node.required & !seen;
        if missing != 0 {
            let slot = usize::try_from(missing.trailing_zeros()).ok().and_then(|index| node.fields.get(index));
            return Err(A::Error::missing_field(slot.map_or("", |slot| slot.name)));
        }
        if node.is_row {
            self.table.rows += 1;
        }
        self.repeat_parent_values(start, &parent)?;
        self.compute_times(node, start, &parent)
    }

    pub(super) fn count_skipped_value(&mut self, slot: &FieldPlan) {
        match slot.read {
            ValuePlan::Cell { column: Some(column), .. } => self.count_wrong_type(column),
            ValuePlan::Cell { kind, .. } => self.count_skipped_field(slot.name, kind.expected()),
            ValuePlan::Rows(_) => self.count_skipped_field(slot.name, "expected a list of objects"),
            _ => self.count_skipped_field(slot.name, "expected an object"),
        }
    }

    /// Clears the values of a field that occurs again. A single cell is overwritten anyway.
    pub(super) fn clear_field(&mut self, slot: &FieldPlan, start: usize) {
        match slot.read {
            ValuePlan::Numbers { first, names, .. } => {
                let declared = self.declared;
                let columns = self.table.columns.iter_mut().enumerate();
                columns
                    .filter(|(at, _)| (first..first + names.len()).contains(at) || *at >= declared)
                    .for_each(|(_, column)| column.cells.truncate(start));
            }
            ValuePlan::Rows(_) | ValuePlan::Samples(_) | ValuePlan::Object(_) => self.truncate(start),
            _ => {}
        }
    }

    fn read_field<'de, A: MapAccess<'de>>(
        &mut self,
        node: &'static ObjectPlan,
        slot: &'static FieldPlan,
        strict: bool,
        fields: &mut A,
        parent: &mut ParentValues,
    ) -> Result<ReadOutcome, A::Error> {
        match slot.read {
            ValuePlan::Cell { kind, column, role } => {
                let row = self.table.rows;
                let mut single = None;
                let (cells, row) = match column.filter(|_| node.is_row) {
                    Some(column) => match self.cells(column) {
                        Some(cells) => (cells, row),
                        None => return Ok(ReadOutcome::Null),
                    },
                    None => (single.insert(Cells::new(kind)), 0),
                };
                let is_list = kind == ColumnKind::TextList;
                let before = if is_list { skipped_count() } else { 0 };
                let inside = is_list.then(|| enter_step(PathStep::Field(slot.name)));
                let outcome = fields.next_value_seed(CellSeed { cells, row, kind, strict })?;
                drop(inside);
                parent.set_role(role, cells, row);
                if let (Some(column), Some(single)) = (column, single) {
                    parent.set_cell(column, single);
                }
                if is_list {
                    self.count_skipped_texts(column, slot.name, before);
                }
                Ok(outcome)
            }
            ValuePlan::Numbers { first, names, index_of } => {
                let lookup = NameLookup::new(names, index_of);
                fields.next_value_seed(NumbersSeed { reader: self, name: slot.name, first, lookup, strict })
            }
            ValuePlan::Object(node) => {
                let _inside = enter_step(PathStep::Field(slot.name));
                fields.next_value_seed(ObjectSeed { reader: self, node, strict })
            }
            ValuePlan::Rows(node) => {
                let _inside = enter_step(PathStep::Field(slot.name));
                fields.next_value_seed(RowsSeed { reader: self, node, list: slot.name, strict })
            }
            ValuePlan::Samples(node) => fields.next_value_seed(SamplesSeed { reader: self, node, strict }),
            ValuePlan::Series { .. } | ValuePlan::SeriesMap { .. } | ValuePlan::Unread => {
                fields.next_value::<IgnoredAny>()?;
                Ok(ReadOutcome::Stored)
            }
        }
    }

    /// Repeats the values of the object in each of its rows.
    pub(super) fn repeat_parent_values<E: Error>(&mut self, start: usize, parent: &ParentValues) -> Result<(), E> {
        let rows = start..self.table.rows;
        for (column, single) in &parent.cells {
            let Some(cells) = self.cells(*column).filter(|_| !single.is_missing(0)) else { continue };
            cells.repeat(rows.clone(), single)?;
        }
        Ok(())
    }

    /// Computes the instants of samples, and local times. Both depend on fields that may follow the rows.
    pub(super) fn compute_times<E: Error>(&mut self, node: &ObjectPlan, start: usize, parent: &ParentValues) -> Result<(), E> {
        let rows = start..self.table.rows;
        if let (Some((offsets, at)), Some(from)) = (node.sample_times, parent.start) {
            self.derive_times(rows.clone(), offsets, at, |value| match value {
                Scalar::Number(offset) => to_nanoseconds(offset).and_then(|offset| from.plus_nanoseconds(offset)),
                _ => None,
            })?;
        }
        if node.local_times.is_empty() {
            return Ok(());
        }
        let Some(minutes) = parent.time_offset else { return Ok(()) };
        if minutes.unsigned_abs() > MAX_OFFSET_MINUTES {
            self.count_skipped_field("user_time_offset_minutes", "expected an offset below 26 hours");
            return Ok(());
        }
        for (instants, local) in node.local_times {
            self.derive_times(rows.clone(), *instants, *local, |value| match value {
                Scalar::Time(instant) => instant.plus_seconds(minutes * SECONDS_PER_MINUTE),
                _ => None,
            })?;
        }
        Ok(())
    }

    /// Computes a column of times from another column, for the rows that have a value there.
    fn derive_times<E: Error>(
        &mut self,
        rows: std::ops::Range<usize>,
        from: usize,
        to: usize,
        value: impl Fn(Scalar<'_>) -> Option<Time>,
    ) -> Result<(), E> {
        let Some(source) = self.table.columns.get_mut(from) else { return Ok(()) };
        // Both columns belong to the same table, so the source is taken out while it is read.
        let empty = Cells::new(source.field().kind);
        let source = std::mem::replace(&mut source.cells, empty);
        // Convert a series without missing values as a whole, in a tenth of the time of single cells.
        let room = || charge::<E>(rows.len().saturating_mul(size_of::<i64>())).is_ok();
        let whole = if rows.len() > 1 && room() { source.times(rows.clone(), &value) } else { None };
        let (rows, mut outcome) = match (whole, self.cells(to)) {
            (Some(times), Some(cells)) => (0..0, cells.put_times(rows.start, times)),
            _ => (rows, Ok(())),
        };
        for row in rows {
            let Some(found) = source.scalar(row) else { continue };
            match (value(found), self.cells(to)) {
                (Some(time), Some(cells)) => outcome = outcome.and_then(|()| cells.put(row, Scalar::Time(time))),
                _ => self.count_wrong_type(to),
            }
        }
        if let Some(cells) = self.cells(from) {
            *cells = source;
        }
        outcome
    }
}

fn as_integer(value: Scalar<'_>) -> Option<i64> {
    if let Scalar::Integer(value) = value { Some(value) } else { None }
}

fn as_instant(value: Scalar<'_>) -> Option<Time> {
    if let Scalar::Time(time) = value { Some(time) } else { None }
}

/// Converts milliseconds to nanoseconds, if the result fits 64 bits.
fn to_nanoseconds(milliseconds: f64) -> Option<i64> {
    let exact = (milliseconds * NANOSECONDS_PER_MILLISECOND).round();
    // 2^63 is exactly representable as a double, and the first value that does not fit.
    #[expect(clippy::cast_possible_truncation, reason = "whole and in range")]
    (exact.abs() < 9_223_372_036_854_775_808.0).then_some(exact as i64)
}
