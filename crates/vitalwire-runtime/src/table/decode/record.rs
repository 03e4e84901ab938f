//! Decoding of records: objects that are rows, or that contain rows and repeat their values in each of them.

use serde::de::Error;

use super::access::{FieldAccess, ItemAccess, Leaf, ValueReader};
use super::cell::CellReader;
use super::names::Name;
use super::numbers::NumbersReader;
use super::object_state::{FieldState, ObjectState, ValueState};
use super::parent_values::ParentValues;
use super::samples::SamplesReader;
use super::{ReadOutcome, TableReader};
use crate::table::ColumnKind;
use crate::table::cells::Cells;
use crate::table::read_plan::{ObjectPlan, ValueRole};
use crate::value::decode::{PathStep, enter_step, record_step, skipped_count};

/// Rules that values of other types break.
pub(super) const EXPECTED_OBJECT: &str = "expected an object";
const EXPECTED_LIST: &str = "expected a list";

/// Reads the fields of an object. Values of any other type are handled in the same way for all objects.
pub(super) trait ObjectReader {
    /// Whether any other type is an error.
    fn is_strict(&self) -> bool;

    /// Reads the fields.
    fn read_fields<A: FieldAccess>(&mut self, fields: A) -> Result<(), A::Error>;
}

impl<R: ObjectReader> ValueReader for R {
    fn is_container(&self) -> bool {
        true
    }

    fn leaf<E: Error>(&mut self, leaf: Leaf<'_>) -> Result<ReadOutcome, E> {
        if self.is_strict() { Err(E::custom(EXPECTED_OBJECT)) } else { Ok(leaf.outcome()) }
    }

    #[inline]
    fn object<A: FieldAccess>(&mut self, fields: A) -> Result<ReadOutcome, A::Error> {
        self.read_fields(fields).map(|()| ReadOutcome::Stored)
    }

    fn list<A: ItemAccess>(&mut self, items: A) -> Result<ReadOutcome, A::Error> {
        items.skip_all()?;
        if self.is_strict() { Err(A::Error::custom(EXPECTED_OBJECT)) } else { Ok(ReadOutcome::WrongType) }
    }
}

/// Reads an object by its plan.
pub(super) struct RecordReader<'a, 's> {
    pub(super) table: &'a mut TableReader<'s>,
    pub(super) state: &'a mut ObjectState,
    pub(super) strict: bool,
}

impl ObjectReader for RecordReader<'_, '_> {
    fn is_strict(&self) -> bool {
        self.strict
    }

    #[inline]
    fn read_fields<A: FieldAccess>(&mut self, fields: A) -> Result<(), A::Error> {
        self.table.read_record(self.state, fields)
    }
}

/// Reads a list of objects and skips those that cannot be decoded. `null` is an empty list.
pub(super) struct RowsReader<'a, 's> {
    pub(super) table: &'a mut TableReader<'s>,
    pub(super) state: &'a mut ObjectState,
    /// Name of the list.
    pub(super) list: &'static str,
    /// Whether anything other than a list or `null` is an error.
    pub(super) strict: bool,
}

impl RowsReader<'_, '_> {
    fn wrong_type<E: Error>(&self) -> Result<ReadOutcome, E> {
        if self.strict { Err(E::custom(EXPECTED_LIST)) } else { Ok(ReadOutcome::WrongType) }
    }
}

impl ValueReader for RowsReader<'_, '_> {
    fn is_container(&self) -> bool {
        true
    }

    fn leaf<E: Error>(&mut self, leaf: Leaf<'_>) -> Result<ReadOutcome, E> {
        if leaf.outcome() == ReadOutcome::Null { Ok(ReadOutcome::Null) } else { self.wrong_type() }
    }

    fn object<A: FieldAccess>(&mut self, fields: A) -> Result<ReadOutcome, A::Error> {
        fields.skip_all()?;
        self.wrong_type()
    }

    #[inline]
    fn list<A: ItemAccess>(&mut self, items: A) -> Result<ReadOutcome, A::Error> {
        items.read_rows(self.table, self.state, self.list).map(|()| ReadOutcome::Stored)
    }
}

impl TableReader<'_> {
    /// Reads the fields of an object.
    fn read_record<A: FieldAccess>(&mut self, state: &mut ObjectState, mut fields: A) -> Result<(), A::Error> {
        let plan = state.plan;
        let start = self.table.rows;
        let mut seen = 0_u64;
        let mut parent = ParentValues::default();
        while let Some(name) = fields.next_name(&mut state.names, |_| Ok(()))? {
            let Name::Declared(index) = name else {
                fields.skip()?;
                continue;
            };
            let Some(field) = state.fields.get_mut(index) else { return Err(A::Error::custom("unreadable")) };
            let bit = 1 << index;
            if seen & bit != 0 {
                self.clear_field(field, start);
            }
            seen |= bit;
            let outcome = self.read_field(plan, field, plan.required & bit != 0, &mut fields, &mut parent);
            if outcome.inspect_err(|_| record_step(PathStep::Field(field.name)))? == ReadOutcome::WrongType {
                self.count_skipped_value(field);
            }
        }
        let missing = plan.required & !seen;
        if missing != 0 {
            let field = usize::try_from(missing.trailing_zeros()).ok().and_then(|index| plan.names.get(index));
            return Err(A::Error::missing_field(field.copied().unwrap_or_default()));
        }
        if plan.is_row {
            self.table.rows += 1;
        }
        self.repeat_parent_values(start, &parent)?;
        self.compute_times(plan, start, &parent)
    }

    #[cold]
    fn count_skipped_value(&mut self, field: &FieldState) {
        let expected = match field.value {
            ValueState::Cell { column: Some(column), .. } => return self.count_wrong_type(column),
            ValueState::Cell { kind, column: None, .. } => kind.expected(),
            ValueState::Rows(_) => "expected a list of objects",
            ValueState::Numbers { .. } | ValueState::Object(_) | ValueState::Samples(_) => EXPECTED_OBJECT,
            // Only an object of series has these, and ignored values have no type.
            ValueState::Series { .. } | ValueState::SeriesMap { .. } | ValueState::Unread => return,
        };
        self.count_skipped_field(field.name, expected);
    }

    /// Clears the values of a field that occurs again. A single cell is overwritten anyway.
    #[cold]
    fn clear_field(&mut self, field: &FieldState, start: usize) {
        match &field.value {
            ValueState::Numbers { first, names } => {
                let (declared, numbers) = (self.declared, *first..*first + names.declared());
                let columns = self.table.columns.iter_mut().enumerate();
                columns.filter(|(at, _)| numbers.contains(at) || *at >= declared).for_each(|(_, column)| column.cells.truncate(start));
            }
            ValueState::Rows(_) | ValueState::Samples(_) | ValueState::Object(_) => self.truncate(start),
            ValueState::Cell { .. } | ValueState::Series { .. } | ValueState::SeriesMap { .. } | ValueState::Unread => {}
        }
    }

    #[inline(always)]
    #[allow(clippy::inline_always, reason = "run for every field of a body; measured")]
    fn read_field<A: FieldAccess>(
        &mut self,
        plan: &'static ObjectPlan,
        field: &mut FieldState,
        strict: bool,
        fields: &mut A,
        parent: &mut ParentValues,
    ) -> Result<ReadOutcome, A::Error> {
        let name = field.name;
        match &mut field.value {
            ValueState::Cell { kind, column, role } => {
                if !strict && self.selection.is_some_and(|selection| !selection.needs_value(*column, *role)) {
                    return fields.skip().map(|()| ReadOutcome::Stored);
                }
                let (cell, row_column) = ((*kind, *column, *role), column.filter(|_| plan.is_row));
                if kind.is_list() {
                    return self.read_text_list(name, row_column, cell, strict, fields, parent);
                }
                self.read_cell(row_column, cell, strict, fields, parent)
            }
            ValueState::Numbers { first, names } => fields.read(&mut NumbersReader { table: self, names, name, first: *first, strict }),
            ValueState::Object(state) => {
                let _inside = enter_step(PathStep::Field(name));
                fields.read(&mut RecordReader { table: self, state, strict })
            }
            ValueState::Rows(state) => {
                let _inside = enter_step(PathStep::Field(name));
                fields.read(&mut RowsReader { table: self, state, list: name, strict })
            }
            ValueState::Samples(state) => fields.read(&mut SamplesReader { table: self, state, strict }),
            // Only an object of series has series.
            ValueState::Series { .. } | ValueState::SeriesMap { .. } | ValueState::Unread => fields.skip().map(|()| ReadOutcome::Stored),
        }
    }

    /// Reads a list of texts like a single value, and counts its skipped items.
    #[inline(never)]
    fn read_text_list<A: FieldAccess>(
        &mut self,
        name: &'static str,
        row_column: Option<usize>,
        cell: (ColumnKind, Option<usize>, ValueRole),
        strict: bool,
        fields: &mut A,
        parent: &mut ParentValues,
    ) -> Result<ReadOutcome, A::Error> {
        let before = skipped_count();
        let _inside = enter_step(PathStep::Field(name));
        let outcome = self.read_cell(row_column, cell, strict, fields, parent)?;
        self.count_skipped_texts(cell.1, name, before);
        Ok(outcome)
    }

    /// Reads a single value into `row_column`. Without that, keeps the value for the rows below the object.
    #[inline]
    fn read_cell<A: FieldAccess>(
        &mut self,
        row_column: Option<usize>,
        (kind, column, role): (ColumnKind, Option<usize>, ValueRole),
        strict: bool,
        fields: &mut A,
        parent: &mut ParentValues,
    ) -> Result<ReadOutcome, A::Error> {
        let row = self.table.rows;
        let mut single = None;
        let (cells, row) = match row_column.and_then(|column| self.cells(column)) {
            Some(cells) => (cells, row),
            None => (single.insert(Cells::new(kind)), 0),
        };
        let outcome = fields.read(&mut CellReader { cells: &mut *cells, row, kind, strict })?;
        parent.set_role(role, cells, row);
        if let (Some(column), Some(single)) = (column, single) {
            parent.set_cell(column, single);
        }
        Ok(outcome)
    }
}
