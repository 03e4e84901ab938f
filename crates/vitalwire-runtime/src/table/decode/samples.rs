//! Decoding of parallel series, with one row per index.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::drain::drain_list;
use super::object::{ColumnSeed, Lookup, MemberSeed, TAKEN, seed};
use super::{Reader, Taken};
use crate::table::plan::{Node, Read};
use crate::value::decode::{Lenient, Order, list};

/// Series of an object, by column. In the plan, the offsets come first.
type Series = BTreeMap<usize, Vec<f64>>;

/// Reason for skipping a series that has a different length than the others.
const UNEVEN: &str = "expected as many values as its neighbours have";

/// Decodes an object of parallel series.
pub(super) struct SamplesSeed<'a> {
    pub(super) reader: &'a mut Reader,
    pub(super) node: &'static Node,
    pub(super) strict: bool,
}

impl SamplesSeed<'_> {
    fn other<E: Error>(&self, taken: Taken, expected: &'static str) -> Result<Taken, E> {
        if self.strict { Err(E::custom(expected)) } else { Ok(taken) }
    }

    fn series<'de, A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let (mut own, mut named) = (Series::new(), Series::new());
        let mut order = Order::new(self.node.names, self.node.index_of);
        while let Some(index) = members.next_key_seed(MemberSeed(&mut order))? {
            let Some(slot) = index.and_then(|index| self.node.members.get(index)) else {
                members.next_value::<IgnoredAny>()?;
                continue;
            };
            match slot.read {
                Read::Series { column } => one(self.reader, column, list(&mut members)?, &mut own),
                Read::SeriesMap { first, names, index_of } => {
                    named.clear();
                    let order = Order::new(names, index_of);
                    let seed = MapSeed { reader: self.reader, name: slot.name, first, order, series: &mut named };
                    if members.next_value_seed(seed)? == Taken::No {
                        self.reader.skip_member(slot.name, "expected an object");
                    }
                }
                _ => {
                    members.next_value::<IgnoredAny>()?;
                }
            }
        }
        self.add(own, named)
    }

    /// Adds the series as rows. A series of a different length cannot be assigned to rows, so its column stays empty.
    fn add<E: Error>(self, own: Series, named: Series) -> Result<(), E> {
        let start = self.reader.table.rows;
        let offsets =
            self.node.members.first().and_then(|slot| if let Read::Series { column } = slot.read { own.get(&column) } else { None });
        let Some(rows) = offsets.map(Vec::len).or_else(|| usual_length(own.values().chain(named.values()))) else {
            return Ok(());
        };
        for (column, values) in own.into_iter().chain(named) {
            if values.len() != rows {
                self.reader.skip_because(column, UNEVEN);
            } else if let Some(cells) = self.reader.cells(column) {
                cells.put_numbers(start, values)?;
            }
        }
        self.reader.table.rows += rows;
        Ok(())
    }
}

/// Returns the most frequent length of the series; of equally frequent lengths, the longest.
fn usual_length<'a>(all: impl Iterator<Item = &'a Vec<f64>>) -> Option<usize> {
    let mut lengths = BTreeMap::<usize, usize>::new();
    all.for_each(|values| *lengths.entry(values.len()).or_default() += 1);
    lengths.into_iter().max_by_key(|(length, series)| (*series, *length)).map(|(length, _)| length)
}

fn one(reader: &mut Reader, column: usize, values: Lenient<Vec<f64>>, series: &mut Series) {
    series.remove(&column);
    match values {
        Lenient::Fits(values) => {
            series.insert(column, values);
        }
        Lenient::Null => {}
        Lenient::Other(_) => reader.skip_because(column, "expected a list of numbers"),
    }
}

seed!(SamplesSeed, object, |seed, members| seed.series(members));

/// Decodes series by name.
struct MapSeed<'a> {
    reader: &'a mut Reader,
    name: &'static str,
    first: usize,
    order: Order<Lookup>,
    series: &'a mut Series,
}

impl MapSeed<'_> {
    #[expect(clippy::unused_self, clippy::unnecessary_wraps, reason = "the form of the seeds beside it")]
    fn other<E: Error>(&self, taken: Taken, _: &'static str) -> Result<Taken, E> {
        Ok(taken)
    }

    fn named<'de, A: MapAccess<'de>>(mut self, mut members: A) -> Result<(), A::Error> {
        while let Some(column) = members.next_key_seed(ColumnSeed { reader: self.reader, first: self.first, order: &mut self.order })? {
            match column {
                Some(column) => one(self.reader, column, list(&mut members)?, self.series),
                None => {
                    members.next_value::<IgnoredAny>()?;
                    self.reader.skip_member(self.name, TAKEN);
                }
            }
        }
        Ok(())
    }
}

seed!(MapSeed, object, |seed, members| seed.named(members));
