//! Decoding of parallel series, with one row per index.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::ignore_rest::drain_list;
use super::object::{ColumnSeed, FieldSeed, IndexFn, NAME_TAKEN, seed};
use super::{ReadOutcome, TableReader};
use crate::table::read_plan::{ObjectPlan, ValuePlan};
use crate::value::decode::{LenientValue, NameLookup, decode_list};

/// Series of an object, by column. In the plan, the offsets come first.
type Series = BTreeMap<usize, Vec<f64>>;

/// Reason for skipping a series that has a different length than the others.
const UNEQUAL_LENGTH: &str = "expected as many values as in the other series";

/// Decodes an object of parallel series.
pub(super) struct SamplesSeed<'a> {
    pub(super) reader: &'a mut TableReader,
    pub(super) node: &'static ObjectPlan,
    pub(super) strict: bool,
}

impl SamplesSeed<'_> {
    fn handle_wrong_type<E: Error>(&self, outcome: ReadOutcome, expected: &'static str) -> Result<ReadOutcome, E> {
        if self.strict { Err(E::custom(expected)) } else { Ok(outcome) }
    }

    fn read_series<'de, A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
        let (mut own_series, mut named_series) = (Series::new(), Series::new());
        let mut lookup = NameLookup::new(self.node.names, self.node.index_of);
        while let Some(index) = fields.next_key_seed(FieldSeed(&mut lookup))? {
            let Some(slot) = index.and_then(|index| self.node.fields.get(index)) else {
                fields.next_value::<IgnoredAny>()?;
                continue;
            };
            match slot.read {
                ValuePlan::Series { column } => store_series(self.reader, column, decode_list(&mut fields)?, &mut own_series),
                ValuePlan::SeriesMap { first, names, index_of } => {
                    named_series.clear();
                    let lookup = NameLookup::new(names, index_of);
                    let seed = SeriesMapSeed { reader: self.reader, name: slot.name, first, lookup, series: &mut named_series };
                    if fields.next_value_seed(seed)? == ReadOutcome::WrongType {
                        self.reader.count_skipped_field(slot.name, "expected an object");
                    }
                }
                _ => {
                    fields.next_value::<IgnoredAny>()?;
                }
            }
        }
        self.add(own_series, named_series)
    }

    /// Adds the series as rows. A series of a different length cannot be assigned to rows, so its column stays empty.
    pub(super) fn add<E: Error>(self, own_series: Series, named_series: Series) -> Result<(), E> {
        let start = self.reader.table.rows;
        let offsets = first_series(self.node).and_then(|column| own_series.get(&column));
        let Some(rows) = offsets.map(Vec::len).or_else(|| most_frequent_length(own_series.values().chain(named_series.values()))) else {
            return Ok(());
        };
        for (column, values) in own_series.into_iter().chain(named_series) {
            if values.len() != rows {
                self.reader.count_skipped(column, UNEQUAL_LENGTH);
            } else if let Some(cells) = self.reader.cells(column) {
                cells.put_numbers(start, values)?;
            }
        }
        self.reader.table.rows += rows;
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

pub(super) fn store_series(reader: &mut TableReader, column: usize, values: LenientValue<Vec<f64>>, series: &mut Series) {
    series.remove(&column);
    match values {
        LenientValue::Valid(values) => {
            series.insert(column, values);
        }
        LenientValue::Null => {}
        LenientValue::WrongType(_) => reader.count_skipped(column, "expected a list of numbers"),
    }
}

seed!(SamplesSeed, object, |seed, fields| seed.read_series(fields));

/// Decodes series by name.
struct SeriesMapSeed<'a> {
    reader: &'a mut TableReader,
    name: &'static str,
    first: usize,
    lookup: NameLookup<IndexFn>,
    series: &'a mut Series,
}

impl SeriesMapSeed<'_> {
    #[expect(clippy::unused_self, clippy::unnecessary_wraps, reason = "same signature as in the other seeds")]
    fn handle_wrong_type<E: Error>(&self, outcome: ReadOutcome, _: &'static str) -> Result<ReadOutcome, E> {
        Ok(outcome)
    }

    fn read_series_map<'de, A: MapAccess<'de>>(mut self, mut fields: A) -> Result<(), A::Error> {
        while let Some(column) = fields.next_key_seed(ColumnSeed { reader: self.reader, first: self.first, lookup: &mut self.lookup })? {
            match column {
                Some(column) => store_series(self.reader, column, decode_list(&mut fields)?, self.series),
                None => {
                    fields.next_value::<IgnoredAny>()?;
                    self.reader.count_skipped_field(self.name, NAME_TAKEN);
                }
            }
        }
        Ok(())
    }
}

seed!(SeriesMapSeed, object, |seed, fields| seed.read_series_map(fields));
