//! Decoding of records: objects that are rows, or that contain rows and repeat their values in each of them.

use serde::de::{Error, IgnoredAny, MapAccess};

use super::cell::CellSeed;
use super::object::{MemberSeed, NumbersSeed, ObjectSeed, RowsSeed};
use super::samples::SamplesSeed;
use super::{Reader, Taken};
use crate::table::ColumnKind;
use crate::table::cells::{Cells, Scalar};
use crate::table::plan::{Node, Read, Role, Slot};
use crate::table::times::Time;
use crate::value::decode::{Order, Step, charge, enter, skipped_count, within};

/// Nanoseconds in a millisecond.
const MILLISECOND: f64 = 1_000_000.0;
/// Seconds in a minute.
const MINUTE: i64 = 60;

/// Maximum offset from UTC, in minutes; the same as in `Timestamp::local`.
const FARTHEST: u64 = 26 * 60 - 1;

/// Values of an object that are repeated in each of its rows, kept until the number of rows is known.
#[derive(Default)]
struct Above {
    /// Column index and its single cell.
    keys: Vec<(usize, Cells)>,
    time_offset: Option<i64>,
    start: Option<Time>,
}

impl Reader {
    /// Reads the fields of an object.
    pub(super) fn record<'de, A: MapAccess<'de>>(&mut self, node: &'static Node, mut members: A) -> Result<(), A::Error> {
        let start = self.table.rows;
        let mut seen = 0_u64;
        let mut above = Above::default();
        let mut order = Order::new(node.names, node.index_of);
        while let Some(index) = members.next_key_seed(MemberSeed(&mut order))? {
            let Some((index, slot)) = index.and_then(|index| Some((index, node.members.get(index)?))) else {
                members.next_value::<IgnoredAny>()?;
                continue;
            };
            let bit = 1 << index;
            if seen & bit != 0 {
                self.forget(slot, start);
            }
            seen |= bit;
            let taken = self.member(node, slot, node.required & bit != 0, &mut members, &mut above);
            if taken.inspect_err(|_| within(Step::Member(slot.name)))? == Taken::No {
                self.leave_out(slot);
            }
        }
        let missing = node.required & !seen;
        if missing != 0 {
            let slot = usize::try_from(missing.trailing_zeros()).ok().and_then(|index| node.members.get(index));
            return Err(A::Error::missing_field(slot.map_or("", |slot| slot.name)));
        }
        if node.row {
            self.table.rows += 1;
        }
        self.repeat(start, &above)?;
        self.times(node, start, &above)
    }

    fn leave_out(&mut self, slot: &Slot) {
        match slot.read {
            Read::Cell { column: Some(column), .. } => self.skip(column),
            Read::Cell { kind, .. } => self.skip_member(slot.name, kind.expected()),
            Read::Rows(_) => self.skip_member(slot.name, "expected a list of objects"),
            _ => self.skip_member(slot.name, "expected an object"),
        }
    }

    /// Clears the values of a field that occurs again. A single cell is overwritten anyway.
    fn forget(&mut self, slot: &Slot, start: usize) {
        match slot.read {
            Read::Numbers { first, names, .. } => {
                let declared = self.declared;
                let columns = self.table.columns.iter_mut().enumerate();
                columns
                    .filter(|(at, _)| (first..first + names.len()).contains(at) || *at >= declared)
                    .for_each(|(_, column)| column.cells.truncate(start));
            }
            Read::Rows(_) | Read::Samples(_) | Read::Object(_) => self.truncate(start),
            _ => {}
        }
    }

    fn member<'de, A: MapAccess<'de>>(
        &mut self,
        node: &'static Node,
        slot: &'static Slot,
        strict: bool,
        members: &mut A,
        above: &mut Above,
    ) -> Result<Taken, A::Error> {
        match slot.read {
            Read::Cell { kind, column, role } => {
                let row = self.table.rows;
                let mut own = None;
                let (cells, row) = match column.filter(|_| node.row) {
                    Some(column) => match self.cells(column) {
                        Some(cells) => (cells, row),
                        None => return Ok(Taken::Null),
                    },
                    None => (own.insert(Cells::new(kind)), 0),
                };
                let is_list = kind == ColumnKind::TextList;
                let before = if is_list { skipped_count() } else { 0 };
                let inside = is_list.then(|| enter(Step::Member(slot.name)));
                let taken = members.next_value_seed(CellSeed { cells, row, kind, strict })?;
                drop(inside);
                match role {
                    Role::Plain => {}
                    Role::TimeOffset => above.time_offset = cells.scalar(row).and_then(integer),
                    Role::Start => above.start = cells.scalar(row).and_then(instant),
                }
                if let (Some(column), Some(own)) = (column, own) {
                    above.keys.retain(|(other, _)| *other != column);
                    above.keys.push((column, own));
                }
                if is_list {
                    self.skip_texts(column, slot.name, before);
                }
                Ok(taken)
            }
            Read::Numbers { first, names, index_of } => {
                let order = Order::new(names, index_of);
                members.next_value_seed(NumbersSeed { reader: self, name: slot.name, first, order, strict })
            }
            Read::Object(node) => {
                let _inside = enter(Step::Member(slot.name));
                members.next_value_seed(ObjectSeed { reader: self, node, strict })
            }
            Read::Rows(node) => {
                let _inside = enter(Step::Member(slot.name));
                members.next_value_seed(RowsSeed { reader: self, node, list: slot.name, strict })
            }
            Read::Samples(node) => members.next_value_seed(SamplesSeed { reader: self, node, strict }),
            Read::Series { .. } | Read::SeriesMap { .. } | Read::Unread => {
                members.next_value::<IgnoredAny>()?;
                Ok(Taken::Yes)
            }
        }
    }

    /// Repeats the values of the object in each of its rows.
    fn repeat<E: Error>(&mut self, start: usize, above: &Above) -> Result<(), E> {
        let rows = start..self.table.rows;
        for (column, own) in &above.keys {
            let Some(cells) = self.cells(*column).filter(|_| !own.is_missing(0)) else { continue };
            cells.repeat(rows.clone(), own)?;
        }
        Ok(())
    }

    /// Computes the instants of samples, and local times. Both depend on fields that may follow the rows.
    fn times<E: Error>(&mut self, node: &Node, start: usize, above: &Above) -> Result<(), E> {
        let rows = start..self.table.rows;
        if let (Some((offsets, at)), Some(from)) = (node.at, above.start) {
            self.derive(rows.clone(), offsets, at, |value| match value {
                Scalar::Number(offset) => nanoseconds(offset).and_then(|offset| from.after(offset)),
                _ => None,
            })?;
        }
        if node.local.is_empty() {
            return Ok(());
        }
        let Some(minutes) = above.time_offset else { return Ok(()) };
        if minutes.unsigned_abs() > FARTHEST {
            self.skip_member("user_time_offset_minutes", "expected an offset below 26 hours");
            return Ok(());
        }
        for (instants, local) in node.local {
            self.derive(rows.clone(), *instants, *local, |value| match value {
                Scalar::Time(instant) => instant.seconds_later(minutes * MINUTE),
                _ => None,
            })?;
        }
        Ok(())
    }

    /// Computes a column of times from another column, for the rows that have a value there.
    fn derive<E: Error>(
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
                _ => self.skip(to),
            }
        }
        if let Some(cells) = self.cells(from) {
            *cells = source;
        }
        outcome
    }
}

fn integer(value: Scalar<'_>) -> Option<i64> {
    if let Scalar::Integer(value) = value { Some(value) } else { None }
}

fn instant(value: Scalar<'_>) -> Option<Time> {
    if let Scalar::Time(time) = value { Some(time) } else { None }
}

/// Converts milliseconds to nanoseconds, if the result fits 64 bits.
fn nanoseconds(milliseconds: f64) -> Option<i64> {
    let exact = (milliseconds * MILLISECOND).round();
    // 2^63 is exactly representable as a double, and the first value that does not fit.
    #[expect(clippy::cast_possible_truncation, reason = "whole and in range")]
    (exact.abs() < 9_223_372_036_854_775_808.0).then_some(exact as i64)
}
