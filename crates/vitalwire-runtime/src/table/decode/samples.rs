//! Decoding of parallel series, with one row per index.

use std::collections::BTreeMap;

use serde::de::Error;

use super::access::FieldAccess;
use super::names::{Name, Names};
use super::object_state::{ObjectState, ValueState};
use super::record::{EXPECTED_OBJECT, ObjectReader};
use super::{ReadOutcome, TableReader};
use crate::table::read_plan::{ObjectPlan, ValuePlan};
use crate::value::decode::LenientValue;

/// Series of an object, by column. In the plan, the offsets come first.
type Series = BTreeMap<usize, Vec<f64>>;

/// Reason for skipping a series that has a different length than the others.
const UNEQUAL_LENGTH: &str = "expected as many values as in the other series";

/// Reads an object of parallel series.
pub(super) struct SamplesReader<'a, 's> {
    pub(super) table: &'a mut TableReader<'s>,
    pub(super) state: &'a mut ObjectState,
    pub(super) strict: bool,
}

impl ObjectReader for SamplesReader<'_, '_> {
    fn is_strict(&self) -> bool {
        self.strict
    }

    fn read_fields<A: FieldAccess>(&mut self, mut fields: A) -> Result<(), A::Error> {
        let (mut own_series, mut named_series) = (Series::new(), Series::new());
        while let Some(name) = fields.next_name(&mut self.state.names, |_| Ok(()))? {
            let Name::Declared(index) = name else {
                fields.skip()?;
                continue;
            };
            let Some(field) = self.state.fields.get_mut(index) else { return Err(A::Error::custom("unreadable")) };
            match &mut field.value {
                ValueState::Series { column } if self.table.selected(*column).is_some() => {
                    let values = fields.read_series()?;
                    self.table.store_series(*column, values, &mut own_series);
                }
                ValueState::SeriesMap { first, names } => {
                    named_series.clear();
                    let mut reader =
                        SeriesMapReader { table: &mut *self.table, names, name: field.name, first: *first, series: &mut named_series };
                    if fields.read(&mut reader)? == ReadOutcome::WrongType {
                        self.table.count_skipped_field(field.name, EXPECTED_OBJECT);
                    }
                }
                ValueState::Series { .. }
                | ValueState::Cell { .. }
                | ValueState::Numbers { .. }
                | ValueState::Object(_)
                | ValueState::Rows(_)
                | ValueState::Samples(_)
                | ValueState::Unread => fields.skip()?,
            }
        }
        if self.table.selection.is_some() && !first_series(self.state.plan).is_some_and(|column| own_series.contains_key(&column)) {
            // The number of rows is then that of most series, so the body is read again without a selection.
            return Err(A::Error::custom("missing the first series"));
        }
        self.add(own_series, named_series)
    }
}

impl SamplesReader<'_, '_> {
    /// Adds the series as rows. A series of a different length cannot be assigned to rows, so its column stays empty.
    fn add<E: Error>(&mut self, own_series: Series, named_series: Series) -> Result<(), E> {
        let start = self.table.table.rows;
        let offsets = first_series(self.state.plan).and_then(|column| own_series.get(&column));
        let Some(rows) = offsets.map(Vec::len).or_else(|| most_frequent_length(own_series.values().chain(named_series.values()))) else {
            return Ok(());
        };
        for (column, values) in own_series.into_iter().chain(named_series) {
            if values.len() != rows {
                self.table.count_skipped(column, UNEQUAL_LENGTH);
            } else if let Some(cells) = self.table.cells(column) {
                cells.put_numbers(start, values)?;
            }
        }
        self.table.table.rows += rows;
        Ok(())
    }
}

/// Returns the column of the offsets.
pub(in crate::table) fn first_series(node: &ObjectPlan) -> Option<usize> {
    node.fields.first().and_then(|slot| if let ValuePlan::Series { column } = slot.read { Some(column) } else { None })
}

/// Returns the most frequent length of the series; of equally frequent lengths, the longest.
fn most_frequent_length<'a>(all: impl Iterator<Item = &'a Vec<f64>>) -> Option<usize> {
    let mut lengths = BTreeMap::<usize, usize>::new();
    all.for_each(|values| *lengths.entry(values.len()).or_default() += 1);
    lengths.into_iter().max_by_key(|(length, series)| (*series, *length)).map(|(length, _)| length)
}

impl TableReader<'_> {
    fn store_series(&mut self, column: usize, values: LenientValue<Vec<f64>>, series: &mut Series) {
        series.remove(&column);
        match values {
            LenientValue::Valid(values) => {
                series.insert(column, values);
            }
            LenientValue::Null => {}
            LenientValue::WrongType(_) => self.count_skipped(column, "expected a list of numbers"),
        }
    }
}

/// Reads series by name.
struct SeriesMapReader<'a, 's> {
    table: &'a mut TableReader<'s>,
    names: &'a mut Names<Option<usize>>,
    name: &'static str,
    /// Column of the first declared name.
    first: usize,
    series: &'a mut Series,
}

impl ObjectReader for SeriesMapReader<'_, '_> {
    fn is_strict(&self) -> bool {
        false
    }

    fn read_fields<A: FieldAccess>(&mut self, mut fields: A) -> Result<(), A::Error> {
        while let Some(column) = self.table.next_column(&mut fields, self.names, self.first)? {
            match column {
                Some(column) => {
                    let values = fields.read_series()?;
                    self.table.store_series(column, values, self.series);
                }
                None => self.table.skip_unnamed(&mut fields, self.name)?,
            }
        }
        Ok(())
    }
}
